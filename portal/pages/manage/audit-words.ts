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
  ["held", () => teamText("queue")],
  ["vote", () => teamText("scopes_vote")],
  ["board", () => t("boards")],
  ["roadmap", () => t("roadmaps")],
  ["tag", () => t("tags")],
  ["statuses", () => teamText("statuses")],
  ["user", () => teamText("people")],
  ["site", () => teamText("site")],
  ["provider", () => teamText("providers")],
  ["sso", () => teamText("productSignIn")],
  ["key", () => teamText("keys")],
  ["webhook", () => teamText("webhooks")],
  ["export", () => teamText("export")],
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
  if (action === "user.role_changed") return textOf(to, to);
  return toName ?? (["post.merged", "board.deleted"].includes(action) ? shortOf(to) : to);
}

/** The keys of the labels of fields whose own names are not these keys, or are so for another kind of things only. */
const LABELS = new Map(
  Object.entries({
    contentMarkdown: "details",
    boardId: "board",
    roadmapId: "roadmap",
    isLocked: "lock",
    isPinned: "pin",
    locked: "lock",
    unlocked: "unlock",
    pinned: "pin",
    unpinned: "unpin",
    "statuses.archived": "auditArchived",
    "statuses.restored": "auditRestored",
    "statuses.created": "auditCreated",
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
    "site.title": "siteTitle",
    "provider.enabled": "status",
    // What only the API sets: `scopes` is a label of keys.
    "provider.scopes": "",
  }),
);

/** The label of a field; what only the API sets has the name that it has there. */
function labelOf(name: string, kind: string): string {
  const [, field, way] = /^(.+)\.(on|off)$/.exec(name) ?? [];
  if (field) return teamText(way === "on" ? "auditOn" : "auditOff", { field: labelOf(field, kind) });
  return textOf(LABELS.get(`${kind}.${name}`) ?? LABELS.get(name) ?? name, name);
}

/** Fields by their labels, switches with the way that they went. */
export function labelsOf(names: readonly string[], kind = ""): string {
  return names.map((name) => labelOf(name, kind)).join(", ");
}

/** The results that a sentence says, where a change of a post or a status is one of them alone. */
const DEEDS = /^(locked|unlocked|pinned|unpinned|created|archived|restored|order)$/;

/** The result that the sentence says; of several statuses that change in one way it says none. */
function deedIn({ item, changed = [] }: AuditEntry): string | undefined {
  return item && changed.length === 1 ? changed.find((name) => DEEDS.test(name)) : undefined;
}

/** What becomes of a response, as records name it. */
const OF_RESPONSE = /^response\./;

/** Whether the sentence of an answer says a field. */
const isInAnswer = (name: string) => name === "status" || OF_RESPONSE.test(name);

/** The labels of the changed fields that neither the sentence nor the values say. */
export function fieldsIn(entry: AuditEntry): string {
  const { action, changed = [], values = [] } = entry;
  if (deedIn(entry)) return "";
  const [kind] = action.split(".", 1);
  const others = changed.filter((name) => values.every(({ field }) => field !== name));
  return labelsOf(action === "post.status_changed" ? others.filter((name) => !isInAnswer(name)) : others, kind);
}

type Value = NonNullable<AuditEntry["values"]>[number];

/** What a field was or became: what has no name any more, by its id. */
function wordOf(field: string, id: string | null, name: string | null): string {
  if (!id) return teamText("none");
  if (field === "role") return textOf(id, id);
  // The id of a status is made of its first name.
  return name ?? (field === "status" ? id : shortOf(id));
}

/** What a field was and became; only what it was, where the sentence says what it became. */
function wordsOf({ field, from, fromName, to, toName }: Value): string {
  const before = wordOf(field, from, fromName);
  if (field === "status" || field === "role") return teamText("auditBefore", { from: before });
  return teamText("auditValue", { field: labelOf(field, ""), from: before, to: wordOf(field, to, toName) });
}

/** What fields were and became, in words. */
export function valuesIn({ values = [] }: AuditEntry): string[] {
  return values.map(wordsOf);
}

/** The name of who made a change. */
export function nameOfActor({ byName }: AuditEntry): string {
  return byName ?? t("deletedUser");
}

/** Whether a record is of a decision about all that an author had waiting. */
function isOfAll({ item, account }: AuditEntry): boolean {
  return item !== undefined && item === account;
}

/** Whether a record is of an author who was suspended in the queue, for what they wrote. */
function isSuspensionFor({ action, item }: AuditEntry): boolean {
  return action === "user.role_changed" && item !== undefined;
}

/** The sentence of a decision in the queue: what becomes of the thing, or of all that its author had waiting. */
function decisionOf(entry: AuditEntry): string {
  return isOfAll(entry) ? "audit_held_further" : `audit_held_${entry.to ?? "decided"}`;
}

/** The sentence of an answer by the team: what becomes of the response, alone or with another status. */
function answerOf({ changed = [] }: AuditEntry): string {
  const response = changed.find((name) => OF_RESPONSE.test(name));
  if (!response) return changed.join() === "roadmapId" ? "audit_updated" : "audit_post_status_changed";
  const deed = response.replace(OF_RESPONSE, "");
  return changed.includes("status") ? `audit_status_and_response_${deed}` : `audit_response_${deed}`;
}

/** The sentence of another role: a suspension, and its end, are said as what they are. */
function roleOf({ to, values = [] }: AuditEntry): string {
  if (to === "suspended") return "audit_suspended";
  const wasSuspended = values.some(({ field, from }) => field === "role" && from === "suspended");
  return wasSuspended ? "audit_suspension_ended" : "audit_user_role_changed";
}

/** The key of the sentence about a change, if it has one of its own. */
function keyOf(entry: AuditEntry): string {
  if (entry.action === "post.status_changed") return answerOf(entry);
  if (entry.action === "held.decided") return decisionOf(entry);
  if (isSuspensionFor(entry)) return "audit_held_suspend";
  if (entry.action === "user.role_changed") return roleOf(entry);
  if (entry.action === "board.deleted" && entry.to) return "audit_board_emptied";
  const deed = deedIn(entry);
  if (deed === "order") return entry.to ? "audit_moved_before" : "audit_moved_last";
  if (deed) return `audit_${deed}`;
  if (isOfNote(entry) && entry.action === "comment.created") return "audit_note_created";
  return `audit_${entry.action.replace(".", "_")}`;
}

function isOfNote({ action, to }: AuditEntry): boolean {
  return action.startsWith("comment.") && to === "note";
}

/** The kind of a thing: a held or reported one is a post or a comment, and one of the statuses stands for itself. */
function thingOf(entry: AuditEntry): string {
  const { action, item, itemName } = entry;
  const [kind = ""] = action.split(".", 1);
  if (isOfNote(entry)) return "note";
  if (kind === "key" && itemName) return "namedKey";
  if (kind === "statuses" && item) return "status";
  if (kind !== "held" && !isSuspensionFor(entry)) return kind;
  return item?.includes("/") ? "comment" : "post";
}

/** What was done, in a sentence. */
export function sentenceOf(entry: AuditEntry): string {
  const { action, item, itemName, accountName } = entry;
  const [, deed = ""] = action.split(".");
  const kind = thingOf(entry);
  // The id of a status is made of its first name.
  const title = itemName ?? (kind === "status" && item ? item : shortOf(item));
  const names = { name: nameOfActor(entry), title, account: accountName ?? t("deletedUser"), to: targetOf(entry) };
  const values = { ...names, thing: teamTextOr(`thing_${kind}`, kind, names) };
  const own = teamTextOr(keyOf(entry), "", values);
  return own || teamTextOr(`audit_${deed}`, `${values.name}: ${action}`, values);
}

/** The page of what was changed, if it has one. */
export function addressOf(entry: AuditEntry): string | undefined {
  const { action, item, itemName } = entry;
  const isOnPost = /^(post|comment|vote|held)\./.test(action) || isSuspensionFor(entry);
  return isOnPost && !isOfAll(entry) && itemName ? `/posts/${item?.split("/", 1)[0]}` : undefined;
}

/** A part of a sentence; the name of a thing with a page leads there. */
export type Words = { text: string; href?: string };

/** A sign that no name has. */
const MARK = "\0";

/** What was done, in the parts of a sentence. */
export function partsOf(entry: AuditEntry): Words[] {
  const { action, itemName, to, toName } = entry;
  const links = new Map<string, Words>();
  const itemHref = addressOf(entry);
  if (itemHref && itemName) links.set("itemName", { text: itemName, href: itemHref });
  if (action === "post.merged" && toName) links.set("toName", { text: toName, href: `/posts/${to}` });
  const marks = Object.fromEntries([...links.keys()].map((name) => [name, MARK + name + MARK]));
  const parts = sentenceOf({ ...entry, ...marks }).split(MARK);
  return parts.map((text) => links.get(text) ?? { text });
}
