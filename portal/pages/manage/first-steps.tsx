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
        <StepList of={open} />
      </>
    );
  return (
    <>
      {head}
      {open && (
        <StepList of={open}>
          <h2>
            {teamText("firstSteps")} <span class="quiet-text">{count}</span>
          </h2>
        </StepList>
      )}
      {children}
    </>
  );
}

/** Whether there is another board than the one that the set-up makes. */
function hasOwnBoard(boards: Board[]): boolean {
  return boards.length > 1 || boards.some(({ name }) => name !== "Feedback");
}

type Steps = { confirmed?: boolean; board: boolean; statuses: boolean; team: boolean; share: boolean };

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

type ListProps = { of: Steps; children?: ComponentChildren };

function StepList({ of: steps, children }: ListProps) {
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
    <section class="steps">
      {children}
      <ul class="rows" aria-label={teamText("firstSteps")}>
        {user && steps.confirmed !== undefined && (
          <Step label={t("confirm")} hint={teamText("stepConfirmHint")} isDone={steps.confirmed}>
            <Action act={() => mailConfirmation(user.email)} label={t("anotherLink")} kind="" />
          </Step>
        )}
        <Step
          label={teamText("stepBoard")}
          hint={teamText("stepBoardHint")}
          href="/manage/boards"
          isDone={steps.board}
        />
        <Step
          label={teamText("stepStatuses")}
          hint={teamText("stepStatusesHint")}
          href="/manage/statuses"
          isDone={steps.statuses}
        />
        <Step
          label={teamText("stepTeam")}
          hint={teamText("stepTeamHint")}
          href={INVITE_TEAM_ADDRESS}
          isDone={steps.team}
        />
        <Step label={teamText("stepShare")} hint={teamText("stepShareHint")} isDone={steps.share}>
          <Action act={share} label={t("copyLink")} kind="" />
        </Step>
      </ul>
      <p class="actions">
        <Action act={hide} label={teamText("hideSteps")} />
        <a href="/">{teamText("lookAtSite")}</a>
      </p>
    </section>
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
