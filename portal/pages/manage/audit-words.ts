import type { Schemas } from "../../api.ts";
import { t, textOf } from "../../text.ts";
import { teamText, teamTextOr } from "./team-text.ts";

// A record of the audit log in words. Most sentences are made of what was done and of a kind of thing; a change that is
// said otherwise has a sentence of its own.

export type AuditEntry = Schemas["AuditEntry"];

/** The kinds of things by which the list is filtered, with their names. */
const KINDS: [kind: string, name: () => string][] = [
  ["post", () => t("posts")],
  ["comment", () => teamText("scopes_comment")],
  ["held", () => t("queue")],
  ["vote", () => teamText("scopes_vote")],
  ["board", () => t("boards")],
  ["roadmap", () => t("roadmaps")],
  ["tag", () => t("tags")],
  ["statuses", () => t("statuses")],
  ["user", () => t("people")],
  ["site", () => t("site")],
  ["provider", () => t("providers")],
  ["sso", () => teamText("productSignIn")],
  ["key", () => t("keys")],
  ["webhook", () => t("webhooks")],
  ["export", () => t("export")],
];

export function kindsOfThings(): { id: string; name: string }[] {
  return KINDS.map(([id, name]) => ({ id, name: name() }));
}

/** The end of an id, for a thing whose name is gone: enough to tell it from others. */
export function shortOf(id = ""): string {
  return `…${id.slice(-6)}`;
}

/** What a record calls a thing, a person or a state. */
function targetOf({ action, to = "", toName }: AuditEntry): string {
  if (action === "held.decided") return teamTextOr(`decided_${to}`, to);
  if (action === "user.role_changed") return textOf(to, to);
  return toName ?? (action === "post.merged" ? shortOf(to) : to);
}

/** The keys of the labels of fields whose own names are not these keys, or are so for another kind of things only. */
const LABELS = new Map(
  Object.entries({
    contentMarkdown: "details",
    boardId: "board",
    roadmapId: "roadmap",
    isLocked: "lock",
    isPinned: "pin",
    view_voters: "viewVoters",
    password: "allowPassword",
    magic: "allowMailSignIn",
    posts: "holdPosts",
    comments: "holdComments",
    links: "holdLinks",
    words: "holdWords",
    blockedMailDomains: "blockedDomains",
    claims: "claimVerified",
    staff: "providerStaff",
    "webhook.url": "webhookUrl",
    "provider.enabled": "status",
    // What only the API sets: `scopes` is a label of keys.
    "provider.scopes": "",
  }),
);

/** The changed fields by their labels; what only the API sets has the name that it has there. */
export function fieldsIn({ action, changed = [] }: AuditEntry): string {
  const [kind] = action.split(".", 1);
  const keyOf = (name: string) => LABELS.get(`${kind}.${name}`) ?? LABELS.get(name) ?? name;
  return changed.map((name) => textOf(keyOf(name), name)).join(", ");
}

/** The name of who made a change. */
export function nameOfActor({ byName }: AuditEntry): string {
  return byName ?? t("deletedUser");
}

/** What was done, in a sentence. */
export function sentenceOf(entry: AuditEntry): string {
  const { action, item, itemName, accountName } = entry;
  const [kind = "", deed = ""] = action.split(".");
  const title = itemName ?? shortOf(item);
  const values = { name: nameOfActor(entry), title, account: accountName ?? t("deletedUser"), to: targetOf(entry) };
  const own = teamTextOr(`audit_${kind}_${deed}`, "", values);
  const thing = teamTextOr(`thing_${kind}`, kind, values);
  return own || teamTextOr(`audit_${deed}`, `${values.name}: ${action}`, { ...values, thing });
}

/** The page of what was changed, if it has one. */
export function addressOf({ action, item, itemName }: AuditEntry): string | undefined {
  const isOnPost = /^(post|comment|vote)\./.test(action);
  return isOnPost && itemName ? `/posts/${item?.split("/", 1)[0]}` : undefined;
}
