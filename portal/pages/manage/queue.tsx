import { useSignal } from "@preact/signals";
import { useRef } from "preact/hooks";
import { answer, api, Failure, type Schemas } from "../../api.ts";
import { change, reloadShown } from "../../data.ts";
import { announce } from "../../notices.ts";
import { Action, Badge, By, Empty } from "../../parts/basics.tsx";
import { focusHeading, focusSoon } from "../../parts/focus.ts";
import { Markdown } from "../../parts/markdown.tsx";
import { Pages } from "../../parts/pages.tsx";
import { useCan } from "../../site.ts";
import { t } from "../../text.ts";
import { BlockedDomains } from "./blocked-domains.tsx";
import { QueuePolicy } from "./queue-policy.tsx";
import { MOST, queued } from "./queued.ts";
import { teamText } from "./team-text.ts";

type Held = Schemas["Held"];
type Decision = "approve" | "decline" | "suspend";

/** What a thing is called: a post by its title, a comment by what it answers. */
function nameOf({ title, post, reports }: Held): string {
  if (title) return title;
  if (post) return teamText("commentOn", { title: post.title });
  return reports ? teamText("goneThing") : t("comment");
}

/** The address of what is there: a reported post, or the post of a comment, at that comment if it was reported. */
function addressOf({ id, kind, post, reports }: Held): string | undefined {
  if (!post) return undefined;
  return kind === "comment" && reports ? `/posts/${post.slug}?comment=${id}` : `/posts/${post.slug}`;
}

const OUTCOMES = ["approved", "kept", "declined", "removed", "suspended", "gone", "already_decided"] as const;
type Outcome = (typeof OUTCOMES)[number];

/** The outcome of each thing, and how many further texts of suspended authors were declined. */
type Done = { outcomes: Outcome[]; further: number };

async function send(decision: Decision, ids: string[]): Promise<Done> {
  const { results, further } = await answer(api.POST("/moderation", { body: { decision, ids } }));
  return { outcomes: results.map(({ outcome }) => outcome), further };
}

/** Decides some things. Another person may have decided the only one. */
async function decide(decision: Decision, ids: string[]): Promise<Done> {
  return send(decision, ids).catch((failure: unknown): Done => {
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

export function Queue() {
  const can = useCan();
  const chosen = useSignal<readonly string[]>([]);
  const list = useRef<HTMLElement>(null);
  const run = async (decision: Decision, ids: readonly string[]) => {
    const done = await decide(decision, [...ids]);
    const isLeft = ({ id }: Held) => !ids.includes(id);
    chosen.value = chosen.value.filter((id) => !ids.includes(id));
    change(queued, (page) => ({ ...page, held: page.held.filter(isLeft) }));
    reloadShown();
    announce(sentenceOf(done));
  };
  const runChosen = async (decision: Decision) => {
    if (chosen.value.length === 0) throw new Failure(400, "", teamText("checkOne"));
    await run(decision, chosen.value);
    focusSoon(() => list.current?.querySelector<HTMLInputElement>('input[type="checkbox"]'));
    if (!list.current?.querySelector('input[type="checkbox"]')) focusHeading();
  };
  const choose = (id: string, isChosen: boolean) => {
    const others = chosen.value.filter((each) => each !== id);
    chosen.value = isChosen ? [...others, id].slice(-MOST) : others;
  };
  return (
    <>
      {can("settings:update") && (
        <div class="panels">
          <QueuePolicy />
          <BlockedDomains />
        </div>
      )}
      <section ref={list}>
        <Pages
          query={(after) => queued(after)}
          show={({ held, after }) =>
            held.length === 0 && !after ? (
              <Empty title={teamText("queueEmpty")} hint={teamText("queueEmptyHint")} />
            ) : (
              <>
                <Toolbar held={held} chosen={chosen} decide={runChosen} />
                <ol class="rows whole queue">
                  {held.map((each) => (
                    <Row key={each.id} held={each} chosen={chosen} choose={choose} decide={run} />
                  ))}
                </ol>
              </>
            )
          }
        />
      </section>
    </>
  );
}

type Chosen = { value: readonly string[] };

type ToolbarProps = { held: Held[]; chosen: Chosen; decide: (decision: Decision) => Promise<void> };

/** Decides all that is selected. */
function Toolbar({ held, chosen, decide }: ToolbarProps) {
  const can = useCan();
  const n = chosen.value.length;
  const isAll = held.length > 0 && held.every(({ id }) => chosen.value.includes(id));
  const toggle = () => {
    chosen.value = isAll ? [] : held.map(({ id }) => id);
  };
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset is for forms.
    <div class="bar" role="group" aria-label={teamText("selectedOf", { n })}>
      <label class="check">
        <input type="checkbox" checked={isAll} onChange={toggle} /> <span>{teamText("selectAll")}</span>
      </label>
      <span class="quiet-text">{teamText("selectedOf", { n })}</span>
      <Action act={() => decide("approve")} label={teamText("approveSelected")} kind="" />
      <Action
        act={() => decide("decline")}
        label={teamText("declineSelected")}
        kind=""
        {...(n > 0 && { ask: teamText("askDeclineSelected", { n }) })}
      />
      {can("user:write") && (
        <Action
          act={() => decide("suspend")}
          label={teamText("suspendSelected")}
          kind="quiet danger"
          {...(n > 0 && { ask: teamText("askSuspendSelected", { n }) })}
        />
      )}
    </div>
  );
}

type RowProps = {
  held: Held;
  chosen: Chosen;
  choose: (id: string, isChosen: boolean) => void;
  decide: (decision: Decision, ids: readonly string[]) => Promise<void>;
};

/** Who reported a thing, and why; how many more did. */
function Reports({ of: { count, first } }: { of: Schemas["Reports"] }) {
  const further = count - first.length;
  return (
    <ul>
      {first.map(({ author, reportedAt, reason }) => (
        <li key={reportedAt + author?.userId}>
          {author && <By author={author} at={reportedAt} />}
          <p dir="auto">{reason ?? <span class="quiet-text">{teamText("noReason")}</span>}</p>
        </li>
      ))}
      {further > 0 && <li class="quiet-text">{teamText("furtherReports", { n: further })}</li>}
    </ul>
  );
}

type DecisionsProps = Pick<RowProps, "held" | "decide"> & { name: string };

/** What the team can do with a held thing. */
function HeldDecisions({ held: { id, author }, name, decide }: DecisionsProps) {
  const can = useCan();
  return (
    <p class="actions answer">
      <Action act={() => decide("approve", [id])} label={teamText("approve")} of={name} kind="" />
      <Action
        act={() => decide("decline", [id])}
        label={teamText("decline")}
        of={name}
        ask={teamText("askDeclineSelected", { n: 1 })}
      />
      {can("user:write") && author && (
        <Action
          act={() => decide("suspend", [id])}
          label={teamText("declineAndSuspend")}
          of={name}
          ask={teamText("askSuspend", { name: author.name })}
        />
      )}
    </p>
  );
}

/** What it can do with a reported one, which everybody sees. */
function ReportedDecisions({ held: { id, kind, title, author }, name, decide }: DecisionsProps) {
  const can = useCan();
  const ask = kind === "post" ? t("deletePost", { title: title ?? name }) : t("deleteComment");
  return (
    <p class="actions answer">
      <Action act={() => decide("approve", [id])} label={teamText("keep")} of={name} kind="" />
      <Action act={() => decide("decline", [id])} label={t("delete")} of={name} ask={ask} />
      {can("user:write") && author && (
        <Action
          act={() => decide("suspend", [id])}
          label={teamText("deleteAndSuspend")}
          of={name}
          ask={teamText("askDeleteAndSuspend", { name: author.name })}
        />
      )}
    </p>
  );
}

/** One thing that waits, with its whole text and why it waits. */
function Row({ held, chosen, choose, decide }: RowProps) {
  const { id, author, since, text, board, reasons, reports } = held;
  const name = nameOf(held);
  const address = addressOf(held);
  const Decisions = reports ? ReportedDecisions : HeldDecisions;
  return (
    <li class="row">
      <label class="check">
        <input
          type="checkbox"
          checked={chosen.value.includes(id)}
          onChange={({ currentTarget }) => choose(id, currentTarget.checked)}
        />
        <span class="unseen">{teamText("selectOne", { name })}</span>
      </label>
      <div>
        <h2 dir="auto">{address ? <a href={address}>{name}</a> : name}</h2>
        {author && <By author={author} at={since} />}
        {text && <Markdown text={text} />}
        <p class="meta">
          {board && <Badge of={board} />}
          {reasons.map((reason) => (
            <span key={reason} class="badge">
              {teamText(`heldFor_${reason}`)}
            </span>
          ))}
          {reports && <span class="quiet-text">{teamText("reportsCount", { n: reports.count })}</span>}
        </p>
        {reports && <Reports of={reports} />}
        <Decisions held={held} name={name} decide={decide} />
      </div>
    </li>
  );
}
