import { answer, api, once } from "../../api.ts";
import { Empty, postsWithTag } from "../../parts/basics.tsx";
import { Field, type Values } from "../../parts/fields.tsx";
import { useTags } from "../../site.ts";
import { sendChanged } from "./as-shown.ts";
import { FIRST_COLOR } from "./colors.ts";
import { EditableList } from "./editable-list.tsx";
import { PostsCount } from "./posts-count.tsx";
import { teamText } from "./team-text.ts";

function tagIn({ name = "", color = "" }: Values): { name: string; color: string } {
  return { name, color: color.slice(1) };
}

/** The tags, by their names. */
export function Tags() {
  const read = useTags();
  return (
    <EditableList
      read={read}
      items={read.data}
      newName={teamText("newTag")}
      empty={<Empty title={teamText("noTagHere")} hint={teamText("noTagHereHint")} />}
      longestName={40}
      asksToRemove={({ name }) => teamText("deleteTag", { name })}
      remove={({ id }) => answer(api.DELETE("/tags/{tagId}", { params: { path: { tagId: id } } }))}
      newFields={<Field name="color" type="color" label={teamText("color")} value={`#${FIRST_COLOR}`} />}
      add={(values, key) =>
        once((header) => api.POST("/tags", { params: { header }, body: { tag: tagIn(values) } }), key)
      }
      save={(shown, values) => {
        const params = { path: { tagId: shown.id } };
        return sendChanged(shown, tagIn(values), (tag) =>
          answer(api.PATCH("/tags/{tagId}", { params, body: { tag } })),
        );
      }}
      below={({ id }) => (
        <p class="hint facts">
          <PostsCount of={{ tag: [id] }} /> <a href={postsWithTag(id)}>{teamText("showPosts")}</a>
        </p>
      )}
    />
  );
}
