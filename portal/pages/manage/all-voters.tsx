import { useState } from "preact/hooks";
import { answer, api, type Post, type Schemas } from "../../api.ts";
import { reloadShown } from "../../data.ts";
import { announce } from "../../notices.ts";
import { Action, Avatar, When } from "../../parts/basics.tsx";
import { Pages } from "../../parts/pages.tsx";
import { useCan } from "../../site.ts";
import { nameOf } from "../../text.ts";
import { votes } from "../../votes.ts";
import { isLike } from "./compare-names.ts";
import { teamText } from "./team-text.ts";

type Vote = Schemas["CastVote"];

const PAGE = 100;

/** Every voter of a post, for the team. Words search those that are shown; more are shown by a button. */
export function AllVoters({ post: { postId } }: { post: Post }) {
  const [isOpen, setOpen] = useState(false);
  const [words, setWords] = useState("");
  return (
    <details class="panel" onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>{teamText("allVoters")}</summary>
      {isOpen && (
        <>
          <input
            type="search"
            aria-label={teamText("searchVoters")}
            placeholder={teamText("searchVoters")}
            value={words}
            onInput={(event) => setWords(event.currentTarget.value)}
          />
          <Pages
            key={`${postId} ${words}`}
            query={(after) => votes(postId, PAGE, after)}
            show={(page, isFirst) => (
              <Rows
                postId={postId}
                found={page.votes.filter(({ user }) => isLike(user.name, words))}
                isFirst={isFirst}
              />
            )}
          />
        </>
      )}
    </details>
  );
}

function Rows({ postId, found, isFirst }: { postId: string; found: Vote[]; isFirst: boolean }) {
  if (found.length === 0) return isFirst ? <p class="quiet-text">{teamText("noVoterFound")}</p> : null;
  return (
    <ul class="rows">
      {found.map((vote) => (
        <Row key={vote.voteId} postId={postId} vote={vote} />
      ))}
    </ul>
  );
}

function Row({ postId, vote }: { postId: string; vote: Vote }) {
  const mayTakeBack = useCan()("vote:unassign");
  const { user, createdAt, by } = vote;
  const { userId } = user;
  const name = nameOf(user);
  const takeBack = async () => {
    const params = { path: { postId, userId } };
    await answer(api.DELETE("/posts/{postId}/votes/{userId}", { params }));
    reloadShown();
    announce(teamText("voteTaken", { name }));
  };
  return (
    <li class="item">
      <Avatar author={user} />
      <span class="wide">
        <bdi>{name}</bdi>{" "}
        <span class="quiet-text facts">
          <When at={createdAt} /> {by && <span>{teamText("byTeam")}</span>}
        </span>
      </span>
      {mayTakeBack && by && (
        <Action act={takeBack} label={teamText("takeBackVote")} of={name} ask={teamText("askTakeBack", { name })} />
      )}
    </li>
  );
}
