import type { Schemas } from "../../api.ts";
import { Action, Badge, By } from "../../parts/basics.tsx";
import { Markdown } from "../../parts/markdown.tsx";
import { useCan } from "../../site.ts";
import { t } from "../../text.ts";
import { teamText } from "./team-text.ts";

export type Held = Schemas["Held"];
export type Decision = "approve" | "decline" | "suspend";

/** A thing as it was seen: once it was decided and came back, it is another entry. */
export type Entry = Pick<Held, "id" | "entry">;

/** What is chosen. */
export type Chosen = { value: readonly Entry[] };

export function isAmong(entries: readonly Entry[], { entry }: Entry): boolean {
  return entries.some((each) => each.entry === entry);
}

type RowProps = {
  held: Held;
  chosen: Chosen;
  choose: (entry: Entry, isChosen: boolean) => void;
  decide: (decision: Decision, held: Held) => Promise<void>;
};

/** The id of the box that chooses a thing. */
export const boxOf = ({ entry }: Entry) => `choose-${entry}`;

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

/** The address of a thing once it is approved. */
export function placeOf({ id, kind, post }: Held): string {
  return kind === "comment" && post ? `/posts/${post.slug}?comment=${id}` : `/posts/${id}`;
}

/** Why it waits, in words. */
function whysOf({ reasons, reports }: Held): string[] {
  const held = reasons.filter((reason) => reason !== "reports").map((reason) => teamText(`heldFor_${reason}`));
  return reports ? [...held, teamText("reportsCount", { n: reports.count })] : held;
}

/** One thing that waits, with its whole text and why it waits. */
export function Row({ held, chosen, choose, decide }: RowProps) {
  const { entry, author, createdAt, text, board, reports } = held;
  const name = nameOf(held);
  const address = addressOf(held);
  const isChosen = isAmong(chosen.value, held);
  return (
    <li class="row">
      <label class="check">
        <input
          type="checkbox"
          id={boxOf(held)}
          checked={isChosen}
          onChange={({ currentTarget }) => {
            choose(held, currentTarget.checked);
            // One too many is not chosen.
            currentTarget.checked = isAmong(chosen.value, held);
          }}
        />
        <span class="unseen">{teamText("selectOne", { name })}</span>
      </label>
      <div>
        <h2 dir="auto">
          {address ? (
            <a id={`held-${entry}`} href={address}>
              {name}
            </a>
          ) : (
            name
          )}
        </h2>
        {author && <By author={author} at={createdAt} />}
        {text && <Markdown text={text} above={2} />}
        <p class="meta">
          {board && <Badge of={board} />}
          {whysOf(held).map((why) => (
            <span key={why} class="badge">
              {why}
            </span>
          ))}
          <Counts of={held} />
        </p>
        {reports && <Reports of={reports} />}
        <Decisions held={held} name={name} decide={decide} />
      </div>
    </li>
  );
}

/** The votes and comments that a reported post has: they go with it. */
function Counts({ of: { votesCount, commentsCount } }: { of: Held }) {
  if (votesCount === null || commentsCount === null) return null;
  return (
    <span class="quiet-text facts">
      <span>{t("votes", { n: votesCount })}</span> <span>{t("comments", { n: commentsCount })}</span>
    </span>
  );
}

/** Who reported a thing, and why; how many more did. */
function Reports({ of: { count, first } }: { of: Schemas["Reports"] }) {
  const further = count - first.length;
  return (
    <ul class="reports">
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

type Words = Record<Decision, string> & { ask: string; askSuspend: (author: string) => string };

/** What the team can do with a thing that waits: nobody else sees it. */
function wordsOfHeld({ title }: Held): Words {
  return {
    approve: teamText("approve"),
    decline: teamText("decline"),
    ask: title ? teamText("askDeclineOne", { title }) : teamText("askDeclineSelected", { n: 1 }),
    suspend: teamText("declineAndSuspend"),
    askSuspend: (author) => teamText("askSuspend", { name: author }),
  };
}

/** The question before a reported thing is deleted. A post says how many votes go with it. */
function questionToDelete({ kind, title, votesCount }: Held, name: string): string {
  if (kind === "comment") return t("deleteComment");
  const question = t("deletePost", { title: title ?? name });
  return votesCount ? `${question} ${teamText("votesGo", { n: votesCount })}` : question;
}

/** What it can do with a reported one, which everybody sees. */
function wordsOfReported(held: Held, name: string): Words {
  return {
    approve: teamText("keep"),
    decline: t("delete"),
    ask: questionToDelete(held, name),
    suspend: teamText("deleteAndSuspend"),
    askSuspend: (author) => teamText("askDeleteAndSuspend", { name: author }),
  };
}

type DecisionsProps = Pick<RowProps, "held" | "decide"> & { name: string };

function Decisions({ held, name, decide }: DecisionsProps) {
  const { author, reports } = held;
  const can = useCan();
  const words = reports ? wordsOfReported(held, name) : wordsOfHeld(held);
  return (
    <p class="actions answer">
      <Action act={() => decide("approve", held)} label={words.approve} of={name} kind="" />
      <Action act={() => decide("decline", held)} label={words.decline} of={name} ask={words.ask} />
      {can("user:write") && author && (
        <Action
          act={() => decide("suspend", held)}
          label={words.suspend}
          of={name}
          ask={words.askSuspend(author.name)}
        />
      )}
    </p>
  );
}
