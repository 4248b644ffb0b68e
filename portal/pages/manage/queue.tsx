import { useComputed, useSignal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { useLocation } from "preact-iso/router";
import { answer, api, Failure } from "../../api.ts";
import { change, define, reloadShown, useRead } from "../../data.ts";
import { loadMarkdown } from "../../load-markdown.ts";
import { announce } from "../../notices.ts";
import { Action, Empty, Pending } from "../../parts/basics.tsx";
import { focusHeading } from "../../parts/focus.ts";
import { useAsLastList } from "../../parts/last-list.ts";
import { Pages } from "../../parts/pages.tsx";
import { useCan } from "../../site.ts";
import { t } from "../../text.ts";
import { BlockedDomains } from "./blocked-domains.tsx";
import { labelsFor, questionsFor } from "./deciding-many.ts";
import { QueuePolicy } from "./queue-policy.tsx";
import { boxOf, type Chosen, type Decision, type Entry, type Held, isAmong, placeOf, Row } from "./queue-row.tsx";
import { MOST, queued } from "./queued.ts";
import { RowActions } from "./row-actions.tsx";
import { type Shown, useAsShown, useShown } from "./shown-pages.ts";
import { teamText } from "./team-text.ts";

const OUTCOMES = ["approved", "kept", "declined", "removed", "suspended", "gone", "already_decided"] as const;
type Outcome = (typeof OUTCOMES)[number];

/** The outcome of each thing, and how many further texts of suspended authors were declined. */
type Done = { outcomes: Outcome[]; further: number };

async function send(decision: Decision, seen: readonly Entry[]): Promise<Done> {
  const body = { decision, ids: seen.map(({ id }) => id), entries: seen.map(({ entry }) => entry) };
  const { results, further } = await answer(api.POST("/moderation", { body }));
  return { outcomes: results.map(({ outcome }) => outcome), further };
}

/** Decides some things. Another person may have decided the only one. */
async function decide(decision: Decision, seen: readonly Entry[]): Promise<Done> {
  return send(decision, seen).catch((failure: unknown): Done => {
    if (failure instanceof Failure && failure.code === "ALREADY_DECIDED") {
      return { outcomes: ["already_decided"], further: 0 };
    }
    throw failure;
  });
}

/** The outcomes in words: how many there are of each. */
function sentenceOf({ outcomes, further }: Done): string {
  const counted = OUTCOMES.map((outcome) => ({ outcome, n: outcomes.filter((each) => each === outcome).length }));
  const some = counted.filter(({ n }) => n > 0).map(({ outcome, n }) => teamText(`done_${outcome}`, { n }));
  return (further > 0 ? [...some, teamText("done_further", { n: further })] : some).join(" ");
}

/** That a thing is approved, by its name; undefined if it has none. */
function approvedText({ title, post }: Held): string | undefined {
  if (title) return teamText("approvedPost", { title });
  return post ? teamText("approvedComment", { title: post.title }) : undefined;
}

/** Says what has become of things. One that everybody sees now is named, with a button that leads to it. */
function tell(done: Done, seen: readonly Held[], go: (address: string) => void): void {
  const [held] = seen;
  const isOneApproved = seen.length === 1 && done.outcomes[0] === "approved";
  const named = held && isOneApproved && approvedText(held);
  if (named) announce(named, "done", { label: t("openPost"), act: () => go(placeOf(held)) });
  else announce(sentenceOf(done));
}

/** Decides what is chosen, or one thing, and lets the page go without it. */
async function decideShown(chosen: Chosen, decision: Decision, seen: readonly Held[], go: (address: string) => void) {
  const done = await decide(decision, seen);
  const isLeft = (each: Entry) => !isAmong(seen, each);
  chosen.value = chosen.value.filter(isLeft);
  change(queued, (page) => ({ ...page, held: page.held.filter(isLeft) }));
  reloadShown();
  tell(done, seen, go);
}

/** What shows the texts. It is not read with the queue: other pages show only the number of waiting texts. */
const renderer = define("renderer", async () => {
  await loadMarkdown();
  return true;
});

/** The held and reported things, page by page, below one toolbar for all that is selected. */
export function Queue() {
  useAsLastList("queue");
  const can = useCan();
  const chosen = useSignal<readonly Entry[]>([]);
  const shown = useShown<Held[]>();
  // Between two readings a thing can stand on two pages.
  const allShown = useComputed(() => [
    ...new Map([...shown.value.values()].flat().map((held) => [held.entry, held])).values(),
  ]);
  // What another moderator has decided, and came back, is not what was selected.
  const selected = useComputed(() => allShown.value.filter((held) => isAmong(chosen.value, held)));
  // Nobody decides on a text before it is there.
  const { data: isReady, ...reading } = useRead(renderer());
  const { route } = useLocation();
  const run = (decision: Decision, seen: readonly Held[]) => decideShown(chosen, decision, seen, route);
  // To the box of a row, before its text: what decides stands behind the text, which nobody has read yet.
  const goOnAt = (index: number) =>
    requestAnimationFrame(() => {
      const next = allShown.value[index] ?? allShown.value.at(-1);
      if (next) document.getElementById(boxOf(next))?.focus();
      else focusHeading();
    });
  const runChosen = async (decision: Decision) => {
    if (selected.value.length === 0) throw new Failure(400, "", teamText("chooseHeld"));
    await run(decision, selected.value);
    goOnAt(0);
  };
  const runOne = async (decision: Decision, held: Held) => {
    const index = allShown.value.findIndex((each) => isAmong([held], each));
    await run(decision, [held]);
    goOnAt(index);
  };
  const select = (entries: readonly Entry[]) => {
    chosen.value = entries;
  };
  const choose = (entry: Entry, isChosen: boolean) => {
    const others = selected.value.filter((each) => !isAmong([entry], each));
    if (isChosen && others.length >= MOST) return announce(teamText("mostSelected", { n: MOST }), "problem");
    select(isChosen ? [...others, entry] : others);
  };
  return (
    <>
      {can("settings:update") && (
        <div class="panels">
          <QueuePolicy />
          <BlockedDomains />
        </div>
      )}
      <section class="deciding">
        {allShown.value.length > 0 && (
          <Toolbar shown={allShown.value} selected={selected.value} select={select} decide={runChosen} />
        )}
        {isReady ? (
          <Pages
            query={(after) => queued(after)}
            show={({ held, after }, isFirst) =>
              held.length === 0 && isFirst && !after ? (
                <Empty title={teamText("queueEmpty")} hint={teamText("queueEmptyHint")} />
              ) : (
                <Rows held={held} shown={shown}>
                  {held.map((each) => (
                    <Row key={each.entry} held={each} chosen={chosen} choose={choose} decide={runOne} />
                  ))}
                </Rows>
              )
            }
          />
        ) : (
          <Pending {...reading} />
        )}
      </section>
    </>
  );
}

type RowsProps = { held: Held[]; shown: Shown<Held[]>; children: ComponentChildren };

/** The rows of one page. While it is there, its things are among those that are `shown`. */
function Rows({ held, shown, children }: RowsProps) {
  useAsShown(shown, held);
  return <ol class="rows whole queue">{children}</ol>;
}

type ToolbarProps = {
  shown: readonly Held[];
  selected: readonly Held[];
  select: (entries: readonly Entry[]) => void;
  decide: (decision: Decision) => Promise<void>;
};

/** Decides all that is selected: of many that are shown, the first ones at most. */
function Toolbar({ shown, selected, select, decide }: ToolbarProps) {
  const can = useCan();
  const n = selected.length;
  const isAll = n === Math.min(shown.length, MOST);
  const toggle = () => select(isAll ? [] : shown.slice(0, MOST));
  // Before one is selected, for all that could be.
  const labels = labelsFor(n > 0 ? selected : shown);
  const questions = questionsFor(selected);
  const words = teamText("selectedOf", { n });
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset is for forms.
    <div class="bar decisions" role="group" aria-label={words} data-any={n > 0}>
      <label class="check">
        <input type="checkbox" checked={isAll} onChange={toggle} /> <span>{teamText("selectAll")}</span>
      </label>
      <span class="quiet-text">{n === MOST ? teamText("selectedMost", { n }) : words}</span>
      <div class="actions">
        <Action act={() => decide("approve")} label={labels.approve} of={words} kind="" isOff={n === 0} />
        <Action
          act={() => decide("decline")}
          label={labels.decline}
          of={words}
          kind=""
          isOff={n === 0}
          {...(n > 0 && { ask: questions.decline })}
        />
        {can("user:write") && (
          <RowActions of={words}>
            <Action
              act={() => decide("suspend")}
              label={labels.suspend}
              of={words}
              kind="quiet danger"
              isOff={n === 0}
              {...(n > 0 && { ask: questions.suspend })}
            />
          </RowActions>
        )}
      </div>
    </div>
  );
}
