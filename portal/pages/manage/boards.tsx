import { useState } from "preact/hooks";
import { answer, api, once } from "../../api.ts";
import { Check, Choice, Field } from "../../parts/fields.tsx";
import { type Board, useAllBoards } from "../../site.ts";
import { t } from "../../text.ts";
import { sendChangedAsShown } from "./as-shown.ts";
import { EditableList } from "./editable-list.tsx";
import { useNotedStep } from "./kept-steps.ts";
import { lookOf } from "./look.ts";
import { teamText } from "./team-text.ts";

/** The name of a board, and that visitors do not see it. */
function namedFor({ id, name, display }: Board) {
  return { id, name: display ? name : `${name} · ${teamText("hidden")}` };
}

/**
 * The board that takes the posts of one that is deleted: the first of the others that visitors see, unless another or
 * none is chosen. It is asked even of a board without posts: some may be on their way from one that is deleted too.
 */
function MoveTo({ others }: { others: Board[] }) {
  const shownFirst = [...others].sort((one, other) => Number(other.display) - Number(one.display));
  // What is chosen stays when the boards get another order.
  const [first] = useState(shownFirst[0]?.id);
  const options = [...shownFirst.map(namedFor), { id: "", name: teamText("noBoard") }];
  return <Choice name="moveTo" label={teamText("movePostsTo")} value={first} options={options} />;
}

export function Boards() {
  const boards = useAllBoards();
  const noteBoard = useNotedStep("board");
  return (
    <EditableList
      read={boards}
      items={boards.data}
      home="/boards/"
      newName={teamText("newBoard")}
      about={({ postsCount, display }) => [t("postsCount", { n: postsCount }), !display && ` · ${teamText("hidden")}`]}
      add={async ({ name = "" }, key) => {
        await once((header) => api.POST("/boards", { body: { name }, params: { header } }), key);
        noteBoard();
      }}
      save={async (shown, { description = "", view_voters, ...values }) => {
        const { boardId, url } = shown;
        const look = { ...lookOf(values), description, view_voters: view_voters !== undefined };
        await sendChangedAsShown(
          shown,
          look,
          () => api.GET("/boards/{url}", { params: { path: { url } } }),
          (body, header) => answer(api.PATCH("/boards", { body: { boardId, ...body }, params: { header } })),
        );
        noteBoard();
      }}
      fields={({ description, view_voters }) => (
        <>
          <Field
            name="description"
            label={teamText("description")}
            value={description ?? ""}
            maxLength={500}
            rows={3}
          />
          <Check name="view_voters" label={teamText("viewVoters")} on={view_voters} />
        </>
      )}
      below={({ url, postsCount }) =>
        postsCount > 0 && (
          <p class="hint">
            <a href={`/boards/${url}`}>{teamText("showPosts")}</a>
          </p>
        )
      }
      move={({ boardId }, _, next) =>
        answer(api.PATCH("/boards/sort", { body: { boardId, ...(next && { before: next.boardId }) } }))
      }
      asksInRow={({ id }) => <MoveTo others={boards.data?.filter((each) => each.id !== id) ?? []} />}
      remove={({ boardId }, { moveTo }) =>
        answer(api.DELETE("/boards", { body: { boardId, ...(moveTo && { moveTo }) } }))
      }
      saysRemoved={({ postsCount }, { moveTo }) => {
        const target = boards.data?.find(({ id }) => id === moveTo);
        return target && postsCount > 0 ? teamText("postsMove", { name: target.name }) : t("deleted");
      }}
    />
  );
}
