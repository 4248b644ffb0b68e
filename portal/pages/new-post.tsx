import { useEffect, useState } from "preact/hooks";
import { useLocation } from "preact-iso";
import { answer, apiAt, once, type Schemas, token } from "../api.ts";
import { Choice, Field, Form } from "../parts/form.tsx";
import { useBoards } from "../site.ts";
import { t } from "../text.ts";
import { SignInPage } from "./account.tsx";

const api = apiAt("");
const PAUSE_MS = 300;
const SHORTEST = 3;

/** Posts like a title, a moment after the last key. An answer that comes late is about an older title. */
function useSimilar(title: string): Schemas["SimilarPost"][] {
  const [posts, setPosts] = useState<Schemas["SimilarPost"][]>([]);
  useEffect(() => {
    let isOld = false;
    const show = (found: Schemas["SimilarPost"][]) => !isOld && setPosts(found);
    const timer = setTimeout(() => {
      if (title.trim().length < SHORTEST) show([]);
      // Without suggestions people just continue.
      else
        answer(api.POST("/posts/similar", { body: { title } })).then(
          ({ posts }) => show(posts),
          () => show([]),
        );
    }, PAUSE_MS);
    return () => {
      isOld = true;
      clearTimeout(timer);
    };
  }, [title]);
  return posts;
}

export function NewPostPage() {
  const { route, query } = useLocation();
  const boards = useBoards();
  const [title, setTitle] = useState(query.title ?? "");
  const similar = useSimilar(title);
  if (!token.value) return <SignInPage />;
  const send = async ({ title = "", contentMarkdown = "", boardId = "" }) => {
    const body = { title, ...(contentMarkdown && { contentMarkdown }), ...(boardId && { boardId }) };
    const { post } = await once((header) => api.POST("/posts", { body, params: { header } }));
    route(`/posts/${post.slug}`);
  };
  return (
    <section class="narrow">
      <h1>{t("newPost")}</h1>
      <Form send={send} button={t("publish")} beside={<a href="/">{t("cancel")}</a>}>
        <Field
          name="title"
          label={t("title")}
          value={title}
          onInput={(e) => setTitle(e.currentTarget.value)}
          hint={t("titleHint")}
          maxLength={250}
          required
        />
        <div aria-live="polite">
          {similar.length > 0 && (
            <div class="similar">
              <h2>{t("similar")}</h2>
              <ul>
                {similar.map(({ postId, slug, title, votesCount }) => (
                  <li key={postId}>
                    <a href={`/posts/${slug}`}>{title}</a>{" "}
                    <span class="quiet-text">{t("votes", { n: votesCount })}</span>
                  </li>
                ))}
              </ul>
            </div>
          )}
        </div>
        <Field name="contentMarkdown" label={t("details")} rows={8} hint={t("markdownHint")} />
        {boards.length > 1 && (
          <Choice
            name="boardId"
            label={t("board")}
            value={query.board}
            options={boards.map(({ boardId, name }) => ({ value: boardId, name }))}
          />
        )}
      </Form>
    </section>
  );
}
