import { answer, api, once, tagOf } from "../../api.ts";
import { Empty } from "../../parts/basics.tsx";
import { useRoadmaps } from "../../site.ts";
import { changedMeanwhile, sendChangedAsShown } from "./as-shown.ts";
import { EditableList } from "./editable-list.tsx";
import { lookOf } from "./look.ts";
import { PostsCount, postsCount } from "./posts-count.tsx";
import { teamText } from "./team-text.ts";

function orderOf(roadmaps: { id: string }[]): string {
  return roadmaps.map(({ id }) => id).join();
}

/** The condition that the roadmaps are in the order that the page shows: a place is one among the others. */
async function inOrder(shown: { id: string }[]) {
  const call = api.GET("/roadmaps/get");
  const { roadmaps } = await answer(call);
  if (orderOf(roadmaps) !== orderOf(shown)) throw changedMeanwhile();
  return { "If-Match": await tagOf(call) };
}

/** The question before a roadmap is deleted; it says what becomes of its posts, if there are any. */
async function asksToDelete({ id, name }: { id: string; name: string }): Promise<string> {
  const n = await postsCount({ roadmapId: id }).load(api);
  return teamText(n > 0 ? "deleteRoadmap" : "deleteItem", { name, n });
}

export function Roadmaps() {
  const roadmaps = useRoadmaps();
  return (
    <EditableList
      read={roadmaps}
      items={roadmaps.data}
      home="/roadmap?column="
      newName={teamText("newRoadmap")}
      empty={<Empty title={teamText("noRoadmapHere")} hint={teamText("noRoadmapHereHint")} />}
      about={({ id, display }) => (
        <span class="facts">
          {!display && <span>{teamText("hidden")}</span>} <PostsCount of={{ roadmapId: id }} />
        </span>
      )}
      add={({ name = "" }, key) => once((header) => api.POST("/roadmaps", { body: { name }, params: { header } }), key)}
      save={async (shown, values) => {
        const { id, url } = shown;
        await sendChangedAsShown(
          shown,
          lookOf(values),
          () => api.GET("/roadmaps/{url}", { params: { path: { url } } }),
          (body, header) => answer(api.PATCH("/roadmaps", { body: { id, ...body }, params: { header } })),
        );
      }}
      asksToRemove={asksToDelete}
      remove={({ id }) => answer(api.DELETE("/roadmaps", { body: { id } }))}
      move={async (item, place) => {
        const header = await inOrder(roadmaps.data ?? []);
        const body = { to: { id: item.id }, from: { id: place.id } };
        await answer(api.PATCH("/roadmaps/sort", { body, params: { header } }));
      }}
    />
  );
}
