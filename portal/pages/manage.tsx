import { useEffect, useState } from "preact/hooks";
import { useLocation } from "preact-iso/router";
import { Heading, NotFound, Skeleton } from "../parts/basics.tsx";
import { NavLink } from "../parts/nav-link.tsx";
import { useUnsavedGuard } from "../parts/unsaved.ts";
import { useRights } from "../site.ts";
import { t } from "../text.ts";
import { Boards } from "./manage/boards.tsx";
import { FirstSteps } from "./manage/first-steps.tsx";
import { Keys } from "./manage/keys.tsx";
import { People } from "./manage/people.tsx";
import { Providers } from "./manage/providers.tsx";
import { Roadmaps } from "./manage/roadmaps.tsx";
import { Site } from "./manage/site.tsx";
import { Statuses } from "./manage/statuses.tsx";
import { teamText } from "./manage/team-text.ts";
import { WaitingPosts } from "./manage/waiting.tsx";
import { Webhooks } from "./manage/webhooks.tsx";

// What a post shows to the team is in the same file.
export { AllVoters } from "./manage/all-voters.tsx";
export { Moderation } from "./manage/moderation.tsx";

const PARTS = {
  waiting: { permission: "post:moderate", Content: WaitingPosts },
  boards: { permission: "board:update", Content: Boards },
  roadmaps: { permission: "roadmap:update", Content: Roadmaps },
  statuses: { permission: "settings:update", Content: Statuses },
  site: { permission: "settings:update", Content: Site },
  people: { permission: "user:write", Content: People },
  providers: { permission: "settings:update", Content: Providers },
  keys: { permission: "key:create", Content: Keys },
  webhooks: { permission: "webhook:read", Content: Webhooks },
};

type Name = keyof typeof PARTS;

/** The parts as the navigation groups them. */
const GROUPS = {
  group_feedback: ["waiting", "boards", "roadmaps", "statuses"],
  group_site: ["site", "people", "providers"],
  group_programs: ["keys", "webhooks"],
} as const;

type GroupName = keyof typeof GROUPS;

const WIDE = "(min-width: 60rem)";

/** Whether the navigation stands beside the content; on a narrower screen it is folded. */
function useIsWide(): boolean {
  const [isWide, setWide] = useState(() => matchMedia(WIDE).matches);
  useEffect(() => {
    const query = matchMedia(WIDE);
    const follow = () => setWide(query.matches);
    query.addEventListener("change", follow);
    return () => query.removeEventListener("change", follow);
  }, []);
  return isWide;
}

/** The way around; `chosen` is undefined on a page that the caller may not open. */
function Parts({ names, chosen }: { names: Name[]; chosen: Name | undefined }) {
  const isWide = useIsWide();
  return (
    <nav class="parts" aria-label={t("manage")}>
      <details key={isWide ? "wide" : chosen} open={isWide}>
        <summary>
          <span class="quiet-text">{t("manage")}</span> {chosen && t(chosen)}
        </summary>
        {(Object.keys(GROUPS) as GroupName[]).map((group) => (
          <Group
            key={group}
            name={group}
            parts={GROUPS[group].filter((each) => names.includes(each))}
            chosen={chosen}
          />
        ))}
      </details>
    </nav>
  );
}

function Group({ name, parts, chosen }: { name: GroupName; parts: Name[]; chosen: Name | undefined }) {
  if (parts.length === 0) return null;
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset is for forms.
    <div role="group" aria-labelledby={name}>
      <p id={name}>{teamText(name)}</p>
      {parts.map((part) => (
        <NavLink key={part} href={`/manage/${part}`} isHere={part === chosen}>
          {t(part)}
        </NavLink>
      ))}
    </div>
  );
}

/** Says who may open a page, to a person who may not. */
function Closed({ name, isTeam }: { name: Name | undefined; isTeam: boolean }) {
  return (
    <>
      <Heading>{t(name ?? "manage")}</Heading>
      <p class="lead-text">{teamText(isTeam ? "onlyOwner" : "onlyTeam")}</p>
      {!isTeam && (
        <p>
          <a class="button" href="/">
            {t("toPosts")}
          </a>
        </p>
      )}
    </>
  );
}

function isPart(name: string): name is Name {
  return Object.hasOwn(PARTS, name);
}

/** The pages of the team: what the owner or a moderator manages, one part at a time. */
export default function ManagePage() {
  const rights = useRights();
  const { path } = useLocation();
  useUnsavedGuard();
  if (!rights) return <Skeleton />;
  const names = (Object.keys(PARTS) as Name[]).filter((name) => rights.permissions.includes(PARTS[name].permission));
  const asked = path.slice("/manage/".length) || names[0];
  if (asked !== undefined && !isPart(asked)) return <NotFound />;
  const chosen = names.find((name) => name === asked);
  if (names.length === 0) return <Closed name={asked} isTeam={false} />;
  const { Content } = PARTS[chosen ?? "waiting"];
  return (
    <>
      <Parts names={names} chosen={chosen} />
      {chosen ? (
        <>
          {chosen === names[0] && rights.permissions.includes("settings:update") && <FirstSteps />}
          <Heading>{t(chosen)}</Heading>
          <p class="lead-text">{teamText(`about_${chosen}`)}</p>
          <Content />
        </>
      ) : (
        <Closed name={asked} isTeam />
      )}
    </>
  );
}
