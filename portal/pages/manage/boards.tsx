import { answer, api, asShown, once } from "../../api.ts";
import { EditableList } from "../../parts/editable-list.tsx";
import { useBoards } from "../../site.ts";
import { lookOf } from "./look.ts";

export function Boards() {
  const boards = useBoards();
  return (
    <EditableList
      read={boards}
      items={boards.data}
      add={(name, key) => once((header) => api.POST("/boards", { body: { name }, params: { header } }), key)}
      save={async (shown, values) => {
        const { boardId, url } = shown;
        const look = lookOf(values);
        const header = await asShown(shown, look, api.GET("/boards/{url}", { params: { path: { url } } }));
        await answer(api.PATCH("/boards", { body: { boardId, ...look }, params: { header } }));
      }}
      remove={({ boardId }) => answer(api.DELETE("/boards", { body: { boardId } }))}
    />
  );
}
