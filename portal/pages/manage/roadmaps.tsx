import { answer, api, once } from "../../api.ts";
import { useRoadmaps } from "../../site.ts";
import { asShown } from "./as-shown.ts";
import { EditableList } from "./editable-list.tsx";
import { lookOf } from "./look.ts";
import { teamText } from "./team-text.ts";

export function Roadmaps() {
  const roadmaps = useRoadmaps();
  return (
    <EditableList
      read={roadmaps}
      items={roadmaps.data}
      newName={teamText("newRoadmap")}
      about={({ display }) => !display && teamText("hidden")}
      add={({ name = "" }, key) => once((header) => api.POST("/roadmaps", { body: { name }, params: { header } }), key)}
      save={async (shown, values) => {
        const { id, url } = shown;
        const look = lookOf(values);
        const header = await asShown(shown, look, api.GET("/roadmaps/{url}", { params: { path: { url } } }));
        await answer(api.PATCH("/roadmaps", { body: { id, ...look }, params: { header } }));
      }}
      remove={({ id }) => answer(api.DELETE("/roadmaps", { body: { id } }))}
      move={(item, place) =>
        answer(api.PATCH("/roadmaps/sort", { body: { to: { id: item.id }, from: { id: place.id } } }))
      }
    />
  );
}
