import { useEffect, useRef } from "preact/hooks";
import { useLocation } from "preact-iso/router";
import { Heading, Skeleton } from "../parts/basics.tsx";
import { NavLink } from "../parts/nav-link.tsx";
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
  people: { permission: "user:write", Content: People },
  keys: { permission: "key:create", Content: Keys },
  webhooks: { permission: "webhook:read", Content: Webhooks },
  providers: { permission: "settings:update", Content: Providers },
  site: { permission: "settings:update", Content: Site },
};

type Name = keyof typeof PARTS;

function Parts({ names, chosen }: { names: Name[]; chosen: Name }) {
  const nav = useRef<HTMLElement>(null);
  // On a phone they are a line, which scrolls.
  useEffect(() => {
    nav.current?.querySelector("[aria-current]")?.scrollIntoView({ inline: "center", block: "nearest" });
  }, [chosen]);
  return (
    <nav ref={nav} class="parts" aria-label={t("manage")}>
      {names.map((name) => (
        <NavLink key={name} href={`/manage/${name}`} isHere={name === chosen}>
          {t(name)}
        </NavLink>
      ))}
    </nav>
  );
}

/** The pages of the team: what the owner or a moderator manages, one part at a time. */
export default function ManagePage() {
  const rights = useRights();
  const { path } = useLocation();
  if (!rights) return <Skeleton />;
  const names = (Object.keys(PARTS) as Name[]).filter((name) => rights.permissions.includes(PARTS[name].permission));
  const chosen = names.find((name) => path === `/manage/${name}`) ?? names[0];
  if (!chosen) return <p class="problem">{t("NOT_ENOUGH_PERMISSION")}</p>;
  const { Content } = PARTS[chosen];
  return (
    <>
      <Parts names={names} chosen={chosen} />
      {chosen === names[0] && rights.permissions.includes("settings:update") && <FirstSteps />}
      <Heading>{t(chosen)}</Heading>
      <Content />
    </>
  );
}
