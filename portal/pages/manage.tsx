import { useRoute } from "preact-iso/router";
import { Heading, NotFound, Waiting } from "../parts/basics.tsx";
import { NavLink } from "../parts/nav-link.tsx";
import { useUnsavedGuard } from "../parts/unsaved.ts";
import { useReadOfRights, useRights } from "../site.ts";
import { t, textOf } from "../text.ts";
import { Audit } from "./manage/audit.tsx";
import { Boards } from "./manage/boards.tsx";
import { Export } from "./manage/export.tsx";
import { Figures } from "./manage/figures.tsx";
import { FirstPage } from "./manage/first-steps.tsx";
import { Keys } from "./manage/keys.tsx";
import { People } from "./manage/people.tsx";
import { PersonPosts } from "./manage/person-posts.tsx";
import { Providers } from "./manage/providers.tsx";
import { Queue } from "./manage/queue.tsx";
import { Roadmaps } from "./manage/roadmaps.tsx";
import { Site } from "./manage/site.tsx";
import { Statuses } from "./manage/statuses.tsx";
import { Tags } from "./manage/tags.tsx";
import { teamText } from "./manage/team-text.ts";
import { useIsWide } from "./manage/use-is-wide.ts";
import { WaitingPosts } from "./manage/waiting.tsx";
import { FoldedNumber, QueueLink, WaitingLink } from "./manage/waiting-links.tsx";
import { Webhooks } from "./manage/webhooks.tsx";

// What a post, and a card of the roadmap, shows to the team is in the same file.
export { AuthorFields, countTheirVote, personOf } from "./manage/known-people.tsx";
export { Moderation, ToAnswer, wordsOfNote } from "./manage/moderation.tsx";
export { MoveCard } from "./manage/move-card.tsx";

/** The parts as the navigation groups them: their addresses, and what a caller must be allowed to open them. */
const GROUPS = [
  {
    group: "group_feedback",
    parts: [
      { name: "waiting", permission: "post:moderate", Content: WaitingPosts },
      { name: "queue", permission: "post:moderate", Content: Queue },
      { name: "figures", permission: "stats:read", Content: Figures },
      { name: "boards", permission: "board:update", Content: Boards },
      { name: "roadmaps", permission: "roadmap:update", Content: Roadmaps },
      { name: "statuses", permission: "settings:update", Content: Statuses },
      { name: "tags", permission: "tag:write", Content: Tags },
    ],
  },
  {
    group: "group_site",
    parts: [
      { name: "site", permission: "settings:update", Content: Site },
      { name: "people", permission: "user:write", Content: People },
      { name: "providers", permission: "settings:update", Content: Providers },
      { name: "export", permission: "settings:update", Content: Export },
      { name: "audit", permission: "audit:read", Content: Audit },
    ],
  },
  {
    group: "group_programs",
    parts: [
      { name: "keys", permission: "key:create", Content: Keys },
      { name: "webhooks", permission: "webhook:read", Content: Webhooks },
    ],
  },
] as const;

type PartGroup = (typeof GROUPS)[number];
type Part = PartGroup["parts"][number];

const PARTS: readonly Part[] = GROUPS.flatMap(({ parts }): readonly Part[] => parts);

/** The name of a part; some have theirs among the texts that everybody loads. */
function nameOf({ name }: Part): string {
  return textOf(name, "");
}

type Can = (permission: string) => boolean;

/** The way around; `chosen` is undefined on a page that the caller may not open. */
function Parts({ can, chosen }: { can: Can; chosen: Part | undefined }) {
  const isWide = useIsWide();
  return (
    <nav class="parts" aria-label={t("manage")}>
      <details key={isWide ? "wide" : chosen?.name} open={isWide}>
        <summary>
          <span class="quiet-text">{t("manage")}</span> {chosen && nameOf(chosen)}{" "}
          {can("post:moderate") && !isWide && <FoldedNumber here={chosen?.name} />}
        </summary>
        {GROUPS.map((each) => (
          <Group key={each.group} of={each} can={can} chosen={chosen} />
        ))}
      </details>
    </nav>
  );
}

function Group({ of: { group, parts }, can, chosen }: { of: PartGroup; can: Can; chosen: Part | undefined }) {
  const open = parts.filter(({ permission }) => can(permission));
  if (open.length === 0) return null;
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset is for forms.
    <div role="group" aria-labelledby={group}>
      <p id={group}>{teamText(group)}</p>
      {open.map((part) => (
        <PartLink key={part.name} of={part} isHere={part === chosen} />
      ))}
    </div>
  );
}

function PartLink({ of, isHere }: { of: Part; isHere: boolean }) {
  if (of.name === "waiting") return <WaitingLink isHere={isHere} />;
  if (of.name === "queue") return <QueueLink isHere={isHere} />;
  return (
    <NavLink href={`/manage/${of.name}`} isHere={isHere}>
      {nameOf(of)}
    </NavLink>
  );
}

/** Says who may open a page, to a person who may not. */
function Closed({ part, isTeam }: { part: Part | undefined; isTeam: boolean }) {
  return (
    <>
      <Heading>{part ? nameOf(part) : t("manage")}</Heading>
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

/** The pages of the team: what the owner or a moderator manages, one part at a time. */
export default function ManagePage() {
  const rights = useRights();
  const read = useReadOfRights();
  // Not of the location: it is ahead while the script of the next page is loading.
  const { path } = useRoute();
  useUnsavedGuard();
  if (!rights) return <Waiting {...read} />;
  const can = (permission: string) => rights.permissions.includes(permission);
  const first = PARTS.find(({ permission }) => can(permission));
  const [name, userId] = path.slice("/manage/".length).split("/");
  const asked = name ? PARTS.find((part) => part.name === name) : first;
  if (name && !asked) return <NotFound />;
  if (userId && name !== "people") return <NotFound />;
  if (!first || !asked) return <Closed part={asked} isTeam={false} />;
  // Of one person the whole team reads; the list of people is the owner's.
  if (userId && can("post:moderate"))
    return (
      <>
        <Parts can={can} chosen={can(asked.permission) ? asked : undefined} />
        <PersonPosts userId={userId} />
      </>
    );
  if (!can(asked.permission))
    return (
      <>
        <Parts can={can} chosen={undefined} />
        <Closed part={asked} isTeam />
      </>
    );
  const { Content } = asked;
  const isOwnersFirst = asked === first && can("settings:update");
  return (
    <>
      <Parts can={can} chosen={asked} />
      {isOwnersFirst ? (
        <FirstPage head={<Head of={asked} />}>
          <Content />
        </FirstPage>
      ) : (
        <>
          <Head of={asked} />
          <Content />
        </>
      )}
    </>
  );
}

function Head({ of }: { of: Part }) {
  return (
    <>
      <Heading>{nameOf(of)}</Heading>
      <p class="lead-text">{teamText(`about_${of.name}`)}</p>
    </>
  );
}
