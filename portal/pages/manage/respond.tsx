import { useState } from "preact/hooks";
import { answer, api, type Failure, type Post } from "../../api.ts";
import { keptDraft } from "../../drafts.ts";
import { Pending } from "../../parts/basics.tsx";
import { changedIn } from "../../parts/changed-in.ts";
import { Check, Choice, Field, type Values } from "../../parts/fields.tsx";
import { Form } from "../../parts/form.tsx";
import { useRoadmaps, useSite, useStatuses } from "../../site.ts";
import { t } from "../../text.ts";
import { teamText } from "./team-text.ts";
import { useNamesake } from "./use-namesake.ts";

type Shown = Pick<Post, "postId" | "status" | "roadmap" | "updatedAt"> & { response?: Post["response"] };

type RespondProps = {
  post: Shown;
  /** What happens with the post as it then is. */
  done: (changed: Post) => void;
  close?: () => void;
};

const draftOf = (postId: string) => `respond ${postId}`;

/** Whether the tab keeps an answer to a post that was not sent. */
export function isBegun(postId: string): boolean {
  return keptDraft(draftOf(postId)).key !== undefined;
}

type Body = { status: string; notify: boolean; text?: string; roadmapId?: string | null };

async function put({ postId, updatedAt }: Shown, body: Body): Promise<Post> {
  const params = { path: { postId }, header: { "If-Match": `"${updatedAt}"` } };
  return (await answer(api.PUT("/posts/{postId}/status", { params, body }))).post as Post;
}

/** The post as it is now, if it still has the status, the response and the roadmap that the form shows and changes. */
async function withSameAnswer({ postId, status, roadmap, response }: Shown, body: Body): Promise<Shown | undefined> {
  const { post: now } = await answer(api.GET("/posts/{postId}", { params: { path: { postId } } }));
  // A post that was merged is read as the one in which it continues.
  const isSame = now.postId === postId && now.status.id === status.id && now.response?.text === response?.text;
  const isOnSame = body.roadmapId === undefined || now.roadmap?.id === roadmap?.id;
  return isSame && isOnSame ? now : undefined;
}

/** Sends an answer. What others do with the post besides, such as pin it or give it a title, does not stop that. */
async function respond(shown: Shown, body: Body): Promise<Post> {
  try {
    return await put(shown, body);
  } catch (failure) {
    const now = (failure as Failure).status === 412 && (await withSameAnswer(shown, body));
    if (!now) throw failure;
    return put(now, body);
  }
}

/** The roadmaps to choose from, with the one of the post: another person may have made it meanwhile. */
function withOwn(roadmaps: NonNullable<Post["roadmap"]>[], own: Post["roadmap"]) {
  return own && roadmaps.every(({ id }) => id !== own.id) ? [own, ...roadmaps] : roadmaps;
}

/** What the button does with the response: what is public, and in mails, is not only saved. */
function deedWith(given: string, typed: string): string {
  if (typed === given) return t("save");
  return teamText(typed ? "publishResponse" : "removeResponse");
}

/** Gives a post a status, a roadmap and the official response. */
export function Respond({ post, done, close }: RespondProps) {
  const { postId, status, roadmap, response } = post;
  const { data, ...read } = useStatuses();
  const { data: allRoadmaps, ...readRoadmaps } = useRoadmaps();
  const { sendsMail } = useSite();
  const [draft] = useState(() => keptDraft(draftOf(postId)).values ?? {});
  // Undefined while the field has what is published, also if that is another text by now.
  const [typed, setTyped] = useState<string>();
  const possible = data?.statuses.filter(({ id, archived }) => !archived || id === status.id) ?? [status];
  const roadmaps = withOwn(allRoadmaps ?? [], roadmap);
  const { follow, leave, forget, said } = useNamesake({ draft, isOnNone: !roadmap, statuses: possible, roadmaps });
  const has = (all: { id: string }[], chosen?: string) => chosen === undefined || all.some(({ id }) => id === chosen);
  // Nobody waits for the other statuses and roadmaps to type, unless a draft has chosen one of them: its name is not
  // known yet.
  if (!data && (read.failure || !has(possible, draft.status))) return <Pending {...read} />;
  if (!allRoadmaps && !has(roadmaps, draft.roadmapId)) return <Pending {...readRoadmaps} />;
  const given = response?.text ?? "";
  const send = async (values: Values) => {
    const { status = "", roadmapId = "", text = "" } = values;
    const moved = changedIn({ roadmapId: roadmap?.id }, { roadmapId: roadmapId || null });
    const changes = { ...moved, ...(text !== given && { text }) };
    done(await respond(post, { status, notify: "notify" in values, ...changes }));
    setTyped(undefined);
    forget();
  };
  const note = (text: string) => setTyped(text.trim() === given ? undefined : text.trim());
  return (
    <Form
      send={send}
      button={deedWith(given, typed ?? given)}
      label={teamText("respond")}
      draft={draftOf(postId)}
      close={close}
    >
      <div class="pair">
        <Choice name="status" label={t("status")} value={status.id} options={possible} onChange={follow} />
        {roadmaps.length > 0 && (
          <Choice
            name="roadmapId"
            label={t("roadmap")}
            value={roadmap?.id}
            options={roadmaps}
            none={teamText("none")}
            onChange={leave}
          />
        )}
      </div>
      <p class="hint" role="status">
        {said}
      </p>
      <Field name="text" label={t("response")} value={given} rows={4} isMarkdown onType={note} />
      {sendsMail && <Check name="notify" label={teamText("notify")} on />}
    </Form>
  );
}
