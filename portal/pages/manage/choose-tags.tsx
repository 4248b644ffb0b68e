import { useState } from "preact/hooks";
import { answer, api, Failure, type Post } from "../../api.ts";
import { Pending } from "../../parts/basics.tsx";
import { Check, type Values } from "../../parts/fields.tsx";
import { Form } from "../../parts/form.tsx";
import { useTags } from "../../site.ts";
import { t } from "../../text.ts";
import { isLike } from "./compare-names.ts";
import { teamText } from "./team-text.ts";

const MOST = 10;

/** More tags than these have a search. */
const FEW = 10;

/** The boxes of all tags, checked where the post has the tag. A search hides the others, and unchecks none. */
export function ChooseTags({ post, done }: { post: Post; done: (changed: Post) => void }) {
  const { data: tags, ...read } = useTags();
  const [words, setWords] = useState("");
  // Boxes that lack a tag would take it from the post.
  if (!tags) return <Pending {...read} lines={2} />;
  if (tags.length === 0)
    return (
      <p class="hint">
        <a href="/manage/tags">{teamText("noTags")}</a>
      </p>
    );
  const send = async (values: Values) => {
    const chosen = tags.map(({ id }) => id).filter((id) => id in values);
    if (chosen.length > MOST) throw new Failure(400, "VALIDATION_ERROR", teamText("mostTags"));
    const params = { path: { postId: post.postId }, header: { "If-Match": `"${post.updatedAt}"` } };
    const changed = await answer(api.PUT("/posts/{postId}/tags", { params, body: { tags: chosen } }));
    done(changed.post);
  };
  return (
    <Form send={send} button={t("save")} label={teamText("setTags")}>
      {tags.length > FEW && (
        <input
          type="search"
          dir="auto"
          aria-label={teamText("searchTags")}
          placeholder={teamText("searchTags")}
          // Once saved the form begins anew, and keeps these words.
          value={words}
          onInput={({ currentTarget }) => setWords(currentTarget.value)}
          // It looks while one types; the form is sent by its button.
          onKeyDown={(event) => event.key === "Enter" && event.preventDefault()}
        />
      )}
      <ul class="boxes">
        {tags.map(({ id, name }) => (
          <li key={id} hidden={!isLike(name, words)}>
            <Check name={id} label={<bdi>{name}</bdi>} on={post.tags.some((tag) => tag.id === id)} />
          </li>
        ))}
      </ul>
    </Form>
  );
}
