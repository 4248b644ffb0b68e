import { answer, api, once } from "../../api.ts";
import { useTags } from "../../site.ts";
import { EditableList } from "./editable-list.tsx";
import { teamText } from "./team-text.ts";

/** A grey, until the team chooses a color. */
const FIRST_COLOR = "8b8f99";

/** The tags, by their names. */
export function Tags() {
  const read = useTags();
  return (
    <EditableList
      read={read}
      items={read.data}
      newName={teamText("newTag")}
      longestName={40}
      asksToRemove={({ name }) => teamText("deleteTag", { name })}
      remove={({ id }) => answer(api.DELETE("/tags/{tagId}", { params: { path: { tagId: id } } }))}
      add={({ name = "" }, key) =>
        once((header) => api.POST("/tags", { params: { header }, body: { tag: { name, color: FIRST_COLOR } } }), key)
      }
      save={({ id }, { name = "", color = "" }) => {
        const tag = { name, color: color.slice(1) };
        return answer(api.PATCH("/tags/{tagId}", { params: { path: { tagId: id } }, body: { tag } }));
      }}
      below={({ id }) => (
        <p class="hint">
          <a href={`/?tag=${id}`}>{teamText("showPosts")}</a>
        </p>
      )}
    />
  );
}
