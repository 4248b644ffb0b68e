import type { ComponentChildren } from "preact";
import { useRead } from "../../data.ts";
import { announce } from "../../notices.ts";
import { Action, Skeleton } from "../../parts/basics.tsx";
import { copyText } from "../../parts/copy-link.tsx";
import { type Board, mailConfirmation, NEUTRAL, useAllBoards, useProfile, useSite } from "../../site.ts";
import { t } from "../../text.ts";
import { INVITE_TEAM_ADDRESS } from "./invite.tsx";
import { useKeepStep } from "./kept-steps.ts";
import { people } from "./person.tsx";
import { teamText } from "./team-text.ts";

/** What the owner of a new site does first. It is gone when all is done, or when the owner hides it. */
export function FirstSteps() {
  const site = useSite();
  return site === NEUTRAL || site.firstSteps.includes("hidden") ? null : <Steps />;
}

/** Whether there is another board than the one that the set-up makes. */
function hasOwnBoard(boards: Board[]): boolean {
  return boards.length > 1 || boards.some(({ name }) => name !== "Feedback");
}

function Steps() {
  const { sendsMail, firstSteps } = useSite();
  const keepStep = useKeepStep();
  const { data: user, failure: noUser } = useProfile();
  const { data: boards, failure: noBoards } = useAllBoards();
  const { data: page, failure: noPage } = useRead(people("", undefined));
  // The newest accounts need not have a moderator among them.
  const { data: team, failure: noTeam } = useRead(people("", "team"));
  const isKnown = user && boards && page && team;
  const isUnreadable = noUser || noBoards || noPage || noTeam;
  if (!isKnown) return isUnreadable ? null : <ComingFirst />;
  const isConfirmed = user.isVerified || !sendsMail;
  const isBoardNamed = hasOwnBoard(boards) || firstSteps.includes("board");
  const isStatusesSeen = firstSteps.includes("statuses");
  const others = page.users.filter(({ role }) => role !== "owner");
  const isTeamThere = team.users.some(({ role }) => role === "moderator");
  // Who has confirmed an address has found the site.
  const isShared = firstSteps.includes("share") || others.some(({ isVerified }) => isVerified);
  const steps = [...(sendsMail ? [isConfirmed] : []), isBoardNamed, isStatusesSeen, isTeamThere, isShared];
  const n = steps.filter(Boolean).length;
  if (n === steps.length) return null;

  const share = async () => {
    const isCopied = await copyText(`${location.origin}/`, t("copyLink"), t("linkCopied"));
    await keepStep("share");
    // The list goes with its last step.
    const isLast = n === steps.length - 1;
    if (isLast) announce([isCopied && t("linkCopied"), teamText("stepsDone")].filter(Boolean).join(" "));
  };
  const hide = async () => {
    await keepStep("hidden");
    announce(teamText("stepsHidden"));
  };
  return (
    <section class="steps" aria-labelledby="first-steps">
      <h2>
        <span id="first-steps">{teamText("firstSteps")}</span>{" "}
        <span class="quiet-text">{teamText("checkedOf", { n, all: steps.length })}</span>
      </h2>
      <ul class="rows" aria-labelledby="first-steps">
        {sendsMail && (
          <Step label={t("confirm")} hint={teamText("stepConfirmHint")} isDone={isConfirmed}>
            <Action act={() => mailConfirmation(user.email)} label={t("anotherLink")} kind="" />
          </Step>
        )}
        <Step
          label={teamText("stepBoard")}
          hint={teamText("stepBoardHint")}
          href="/manage/boards"
          isDone={isBoardNamed}
        />
        <Step
          label={teamText("stepStatuses")}
          hint={teamText("stepStatusesHint")}
          href="/manage/statuses"
          isDone={isStatusesSeen}
        />
        <Step
          label={teamText("stepTeam")}
          hint={teamText("stepTeamHint")}
          href={INVITE_TEAM_ADDRESS}
          isDone={isTeamThere}
        />
        <Step label={teamText("stepShare")} hint={teamText("stepShareHint")} isDone={isShared}>
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

/** What stands in the place of the steps, and of all below them, which they would move. */
function ComingFirst() {
  return (
    <div class="coming-first">
      <Skeleton />
    </div>
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
