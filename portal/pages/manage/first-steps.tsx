import type { ComponentChildren } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { useRead } from "../../data.ts";
import { announce } from "../../notices.ts";
import { Action, Heading, Skeleton } from "../../parts/basics.tsx";
import { copyText } from "../../parts/copy-link.tsx";
import { type Board, mailConfirmation, NEUTRAL, useAllBoards, useProfile, useSite } from "../../site.ts";
import { t } from "../../text.ts";
import { INVITE_TEAM_ADDRESS } from "./invite.tsx";
import { useKeepStep, useNotedStep } from "./kept-steps.ts";
import { people } from "./person.tsx";
import { teamText } from "./team-text.ts";
import { useWhetherPostsWait } from "./waiting.tsx";

type FirstPageProps = { head: ComponentChildren; children: ComponentChildren };

/**
 * The page that an owner sees first: posts that wait for an answer, below what the owner of a new site does first. That
 * is gone when all is done, or when the owner hides it, and then nothing of it is read any more.
 */
export function FirstPage({ head, children }: FirstPageProps) {
  const site = useSite();
  const isOver = site === NEUTRAL || site.firstSteps.includes("hidden");
  // Until the page is left, so that what stands below stays as it is.
  const hasBegun = useRef(false);
  if (!isOver) hasBegun.current = true;
  if (hasBegun.current)
    return (
      <WithSteps head={head} isOver={isOver}>
        {children}
      </WithSteps>
    );
  return (
    <>
      {head}
      {children}
    </>
  );
}

/** While no post waits, the steps are the whole page. */
function WithSteps({ head, children, isOver }: FirstPageProps & { isOver: boolean }) {
  const steps = useSteps();
  const waits = useWhetherPostsWait();
  const noteHidden = useNotedStep("hidden");
  const { n, all } = countOf(steps ?? {});
  const isDone = steps ? n === all : false;
  useEffect(() => {
    if (isDone) noteHidden();
  }, [isDone]);
  // An answer that is begun stays open, also if another person has answered the last post meanwhile.
  const haveWaited = useRef(false);
  if (waits) haveWaited.current = true;
  // A key of its own: these grey lines go, and do not become the lines of the page, which would move.
  if (waits === undefined) return <Skeleton key="page" />;
  if (steps === undefined)
    return (
      <>
        {waits && head}
        <Skeleton />
      </>
    );
  const open = !isOver && !isDone && steps;
  const count = teamText("checkedOf", { n, all });
  if (open && !haveWaited.current)
    return (
      <>
        <Heading>{teamText("firstSteps")}</Heading>
        <p class="lead-text">{count}</p>
        <section class="steps">
          <StepList of={open} />
        </section>
      </>
    );
  return (
    <>
      {head}
      {open && <StepsAbove of={open} />}
      {children}
    </>
  );
}

/** The steps above the posts that wait. The last one is a line, which unfolds all. */
function StepsAbove({ of: steps }: { of: Steps }) {
  const { n, all } = countOf(steps);
  const count = teamText("checkedOf", { n, all });
  const left = STEPS.filter((step) => steps[step] === false);
  if (left.length > 1)
    return (
      <section class="steps">
        <h2>
          {teamText("firstSteps")} <span class="quiet-text">{count}</span>
        </h2>
        <StepList of={steps} />
      </section>
    );
  return (
    <details class="panel steps">
      <summary>
        {teamText("firstSteps")} <span class="quiet-text">{[count, ...left.map(nameOfStep)].join(" · ")}</span>
      </summary>
      <StepList of={steps} />
    </details>
  );
}

/** Whether there is another board than the one that the set-up makes. */
function hasOwnBoard(boards: Board[]): boolean {
  return boards.length > 1 || boards.some(({ name }) => name !== "Feedback");
}

const STEPS = ["confirmed", "board", "statuses", "team", "share"] as const;
type StepName = (typeof STEPS)[number];

/** Which steps are done. There is no address to confirm on a site that sends no mail. */
type Steps = Record<Exclude<StepName, "confirmed">, boolean> & { confirmed?: boolean };

function nameOfStep(step: StepName): string {
  return step === "confirmed" ? t("confirm") : teamText(`step_${step}`);
}

/** Which steps are done; undefined while that is being read, null if it cannot be. */
function useSteps(): Steps | null | undefined {
  const { sendsMail, firstSteps } = useSite();
  const { data: user, failure: noUser } = useProfile();
  const { data: boards, failure: noBoards } = useAllBoards();
  const { data: page, failure: noPage } = useRead(people("", undefined));
  // The newest accounts need not have a moderator among them.
  const { data: team, failure: noTeam } = useRead(people("", "team"));
  if (!user || !boards || !page || !team) return noUser || noBoards || noPage || noTeam ? null : undefined;
  const others = page.users.filter(({ role }) => role !== "owner");
  return {
    ...(sendsMail && { confirmed: user.isVerified }),
    board: hasOwnBoard(boards) || firstSteps.includes("board"),
    statuses: firstSteps.includes("statuses"),
    team: team.users.some(({ role }) => role === "moderator"),
    // Who has confirmed an address has found the site.
    share: firstSteps.includes("share") || others.some(({ isVerified }) => isVerified),
  };
}

/** What is done, and how much there is. */
function countOf(steps: Partial<Steps>): { n: number; all: number } {
  const each = Object.values(steps);
  return { n: each.filter(Boolean).length, all: each.length };
}

function StepList({ of: steps }: { of: Steps }) {
  const keepStep = useKeepStep();
  const { data: user } = useProfile();
  const { n, all } = countOf(steps);
  const share = async () => {
    const isCopied = await copyText(`${location.origin}/`, t("copyLink"), t("linkCopied"));
    await keepStep("share");
    // The list goes with its last step.
    const isLast = n === all - 1;
    if (isLast) announce([isCopied && t("linkCopied"), teamText("stepsDone")].filter(Boolean).join(" "));
  };
  const hide = async () => {
    await keepStep("hidden");
    announce(teamText("stepsHidden"));
  };
  return (
    <>
      <ul class="rows" aria-label={teamText("firstSteps")}>
        {user && steps.confirmed !== undefined && (
          <Step label={nameOfStep("confirmed")} hint={teamText("stepConfirmHint")} isDone={steps.confirmed}>
            <Action act={() => mailConfirmation(user.email)} label={t("anotherLink")} kind="" />
          </Step>
        )}
        <Step label={nameOfStep("board")} hint={teamText("stepBoardHint")} href="/manage/boards" isDone={steps.board} />
        <Step
          label={nameOfStep("statuses")}
          hint={teamText("stepStatusesHint")}
          href="/manage/statuses"
          isDone={steps.statuses}
        />
        <Step
          label={nameOfStep("team")}
          hint={teamText("stepTeamHint")}
          href={INVITE_TEAM_ADDRESS}
          isDone={steps.team}
        />
        <Step label={nameOfStep("share")} hint={teamText("stepShareHint")} isDone={steps.share}>
          <Action act={share} label={t("copyLink")} kind="" />
        </Step>
      </ul>
      <p class="actions">
        <Action act={hide} label={teamText("hideSteps")} />
        <a href="/">{teamText("lookAtSite")}</a>
      </p>
    </>
  );
}

type StepProps = { label: string; hint: string; isDone: boolean; href?: string; children?: ComponentChildren };

/** `href`: the page where the step is done; others are done by a button beside the label. */
function Step({ label, hint, isDone, href, children }: StepProps) {
  return (
    <li class={isDone ? "item done" : "item"}>
      <span class="tick" aria-hidden="true">
        {isDone && "✓"}
      </span>
      <span class="wide">
        {href && !isDone ? <a href={href}>{label}</a> : label}
        {isDone ? <span class="unseen"> {teamText("stepDone")}</span> : <span class="hint">{hint}</span>}
      </span>
      {!isDone && children}
    </li>
  );
}
