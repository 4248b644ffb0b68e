import { beforeAll, describe, expect, it } from "vitest";
import { auditActions } from "../../../lib/events/audit.ts";
import {
  type AuditEntry,
  addressOf,
  fieldsIn,
  partsOf,
  sentenceOf,
  valuesIn,
} from "../../../portal/pages/manage/audit-words.ts";
import { loadTexts, texts } from "../../../portal/text.ts";

// A record of the audit log as a sentence.

const ID = "019f0000-0000-7000-8000-00000000abcd";

function entry(action: AuditEntry["action"], more: Partial<AuditEntry> = {}): AuditEntry {
  const recordId = ID;
  return { recordId, createdAt: "2026-01-01T00:00:00.000Z", by: ID, role: "owner", action, byName: "Olive", ...more };
}

beforeAll(async () => {
  texts.value = await loadTexts("en");
});

describe("A sentence about a change", () => {
  it.each(auditActions)("is there for %s also where the record has nothing but who did it", (action) => {
    expect(sentenceOf(entry(action))).toMatch(/^Olive \w/);
    expect(sentenceOf(entry(action))).not.toContain(action);
  });

  it("is the same for a person who is invited again, of whom the record has no role", () => {
    const invited = { accountName: "Ida" };
    expect(sentenceOf(entry("user.invited", { ...invited, to: "moderator" }))).toBe("Olive invited Ida");
    expect(sentenceOf(entry("user.invited", invited))).toBe("Olive invited Ida");
  });

  it("says that a person was suspended, and that this has ended", () => {
    const changed = (from: string, to: string) =>
      entry("user.role_changed", {
        accountName: "Ida",
        to,
        values: [{ field: "role", from, fromName: null, to, toName: null }],
      });
    expect(sentenceOf(changed("member", "suspended"))).toBe("Olive suspended Ida");
    expect(sentenceOf(changed("suspended", "member"))).toBe("Olive lifted the suspension of Ida, now Member");
    expect(sentenceOf(changed("member", "moderator"))).toBe("Olive gave Ida the role Moderator");
  });

  it("calls a role as the portal does, and a role that it does not know as the record does", () => {
    expect(sentenceOf(entry("user.role_changed", { accountName: "Ida", to: "moderator" }))).toContain("Moderator");
    expect(sentenceOf(entry("user.role_changed", { accountName: "Ida", to: "helper" }))).toContain("helper");
  });
});

describe("A sentence about an API key", () => {
  it("has its name, while there is one", () => {
    expect(sentenceOf(entry("key.created", { item: ID, itemName: "CI bot" }))).toBe(
      "Olive created the API key “CI bot”",
    );
    expect(sentenceOf(entry("key.deleted", { item: ID, itemName: null }))).toBe("Olive deleted an API key");
  });
});

describe("A sentence about a deleted board", () => {
  it("names the board that took its posts, also by the end of its id once that is gone", () => {
    const ended = (more: Partial<AuditEntry>) =>
      sentenceOf(entry("board.deleted", { item: ID, itemName: "Old", ...more }));
    const moved = "Olive deleted the board “Old” and moved its posts to";
    expect(ended({})).toBe("Olive deleted the board “Old”");
    expect(ended({ to: "b2", toName: "New" })).toBe(`${moved} “New”`);
    expect(ended({ to: ID, toName: null })).toBe(`${moved} “…00abcd”`);
  });
});

describe("A sentence around the name of a post", () => {
  it("is the whole one, also where the name is a part of other words", () => {
    const moved = entry("post.status_changed", { item: "p1", itemName: "Olive", to: "olive", toName: "Olive" });
    const link = { text: "Olive", href: "/posts/p1" };
    expect(partsOf(moved)).toEqual([{ text: "Olive set “" }, link, { text: "” to Olive" }]);
    const created = entry("post.created", { item: "p1", itemName: "created" });
    const words = partsOf(created).map(({ text }) => text);
    expect(words.join("")).toBe(sentenceOf(created));
  });

  it("leads to both posts of a merge, as far as they are there", () => {
    const merged = (toName: string | null) =>
      partsOf(entry("post.merged", { item: "p1", itemName: "Dark", to: "p2", toName }));
    const dark = [{ text: "Olive merged “" }, { text: "Dark", href: "/posts/p1" }];
    expect(merged("Night")).toEqual([
      ...dark,
      { text: "” into “" },
      { text: "Night", href: "/posts/p2" },
      { text: "”" },
    ]);
    expect(merged(null)).toEqual([...dark, { text: "” into “…p2”" }]);
  });
});

describe("A sentence about a decision in the queue", () => {
  const told = (to: string, more: Partial<AuditEntry> = {}) =>
    entry("held.decided", { item: "p1", itemName: "A casino", account: "sam", accountName: "Sam", to, ...more });

  it.each([
    ["approve", "Olive approved the post “A casino” by Sam"],
    ["decline", "Olive declined the post “A casino” by Sam"],
    ["keep", "Olive kept the post “A casino” by Sam after a report"],
    ["remove", "Olive deleted the post “A casino” by Sam after a report"],
  ])("names the thing: %s", (to, sentence) => {
    expect(sentenceOf(told(to))).toBe(sentence);
    expect(addressOf(told(to))).toBe("/posts/p1");
  });

  it("says for what an author was suspended in the queue", () => {
    const suspended = (more: Partial<AuditEntry>) =>
      entry("user.role_changed", { account: "sam", accountName: "Sam", to: "suspended", ...more });
    const forPost = suspended({ item: "p1", itemName: "A casino" });
    expect(sentenceOf(forPost)).toBe("Olive suspended Sam for the post “A casino”");
    expect(addressOf(forPost)).toBe("/posts/p1");
    expect(sentenceOf(suspended({ item: "p1/c1", itemName: "A casino" }))).toBe(
      "Olive suspended Sam for a comment on “A casino”",
    );
    expect(sentenceOf(suspended({}))).toBe("Olive suspended Sam");
    expect(addressOf(suspended({}))).toBeUndefined();
  });

  it("tells a comment by its post, and a thing that is gone by the end of its id", () => {
    expect(sentenceOf(told("keep", { item: "p1/c1" }))).toContain("a comment on “A casino” by Sam");
    const gone = told("remove", { item: ID, itemName: null });
    expect(sentenceOf(gone)).toContain("the post “…00abcd”");
    expect(addressOf(gone)).toBeUndefined();
  });

  it("says of all that an author had waiting that it was declined", () => {
    const all = told("decline", { item: "sam", itemName: "Sam" });
    expect(sentenceOf(all)).toBe("Olive declined everything else Sam had waiting");
    expect(addressOf(all)).toBeUndefined();
  });
});

describe("A sentence about an answer by the team", () => {
  const told = (...changed: string[]) =>
    sentenceOf(entry("post.status_changed", { itemName: "Dark mode", to: "planned", toName: "Planned", changed }));

  it.each([
    [["status"], "Olive set “Dark mode” to Planned"],
    [["response.created"], "Olive responded to “Dark mode”"],
    [["response.updated"], "Olive changed the response to “Dark mode”"],
    [["response.deleted"], "Olive removed the response to “Dark mode”"],
    [["status", "response.created"], "Olive set “Dark mode” to Planned and responded"],
    [["status", "response.updated"], "Olive set “Dark mode” to Planned and changed the response"],
    [["status", "response.deleted"], "Olive set “Dark mode” to Planned and removed the response"],
  ])("tells the status and the response apart: %s", (changed, sentence) => {
    expect(told(...changed)).toBe(sentence);
  });

  it("names the roadmap that it also changed, or that alone", () => {
    const moved = (...changed: string[]) =>
      entry("post.status_changed", { itemName: "Dark mode", to: "planned", toName: "Planned", changed });
    expect(sentenceOf(moved("status", "roadmapId"))).toBe("Olive set “Dark mode” to Planned");
    expect(fieldsIn(moved("status", "roadmapId", "response.created"))).toBe("Roadmap");
    expect(fieldsIn(moved("status"))).toBe("");
    expect(sentenceOf(moved("roadmapId"))).toBe("Olive changed the post “Dark mode”");
  });
});

describe("What a field was and became", () => {
  const valuesOf = (field: string, before: [string | null, string?], after: [string | null, string?]) => {
    const [from, fromName = null] = before;
    const [to, toName = null] = after;
    return entry("post.updated", {
      ...{ item: ID, itemName: "Dark mode", changed: ["title", field] },
      values: [{ field, from, fromName, to, toName }],
    });
  };

  it.each([
    ["roadmapId", [ID, "Under review"], [ID, "Later"], "Roadmap: Under review → Later"],
    ["roadmapId", [null], [ID], "Roadmap: None → …00abcd"],
    ["boardId", [ID, "Ideas"], [null], "Board: Ideas → None"],
    ["status", ["open", "Open"], ["planned"], "Before: Open"],
    ["role", ["member"], ["moderator"], "Before: Member"],
  ] as const)("is said in words, and among no other fields: %s", (field, before, after, words) => {
    const told = valuesOf(field, [...before], [...after]);
    expect(valuesIn(told)).toEqual([words]);
    expect(fieldsIn(told)).toBe("Title");
  });

  it("is said of nothing in records from before", () => {
    const before = entry("post.updated", { item: ID, itemName: "Dark mode", changed: ["roadmapId"] });
    expect(valuesIn(before)).toEqual([]);
    expect(fieldsIn(before)).toBe("Roadmap");
  });
});

describe("A sentence about a switch of a post", () => {
  it.each([
    ["pinned", "Olive pinned the post “Dark mode”"],
    ["unpinned", "Olive unpinned the post “Dark mode”"],
    ["locked", "Olive locked the post “Dark mode”"],
    ["unlocked", "Olive unlocked the post “Dark mode”"],
  ])("says which way it went: %s", (deed, sentence) => {
    const told = entry("post.updated", { item: ID, itemName: "Dark mode", changed: [deed] });
    expect(sentenceOf(told)).toBe(sentence);
    expect(fieldsIn(told)).toBe("");
  });

  it("leaves it to the fields where the record has others, or is from before", () => {
    const told = (...changed: string[]) => entry("post.updated", { item: ID, itemName: "Dark mode", changed });
    expect(sentenceOf(told("title", "unpinned"))).toBe("Olive changed the post “Dark mode”");
    expect(fieldsIn(told("title", "unpinned"))).toBe("Title, Unpin");
    expect(fieldsIn(told("isPinned"))).toBe("Pin to the top of the lists");
  });
});

describe("A sentence about the list of statuses", () => {
  const told = (more: Partial<AuditEntry>) => entry("statuses.updated", more);
  const review = { item: "review", itemName: "Under review" };

  it.each<[Partial<AuditEntry>, string]>([
    [
      { ...review, changed: ["order"], to: "planned", toName: "Planned" },
      "moved the status “Under review” before “Planned”",
    ],
    [{ ...review, changed: ["order"] }, "moved the status “Under review” to the end"],
    [{ ...review, changed: ["created"] }, "created the status “Under review”"],
    [{ ...review, changed: ["archived"] }, "archived the status “Under review”"],
    [{ ...review, changed: ["restored"] }, "took the status “Under review” out of the archive"],
    [{ ...review, changed: ["name"] }, "changed the status “Under review”"],
    [{ item: "review", itemName: null, changed: ["name"] }, "changed the status “review”"],
    [{ changed: ["name", "order"] }, "changed the list of statuses"],
    [{}, "changed the list of statuses"],
  ])("names one that changes alone: %j", (more, sentence) => {
    expect(sentenceOf(told(more))).toBe(`Olive ${sentence}`);
  });

  it("has the fields where it does not say the change itself", () => {
    expect(fieldsIn(told({ ...review, changed: ["name", "color"] }))).toBe("Name, Colour");
    expect(fieldsIn(told({ changed: ["created", "order"] }))).toBe("new, Order");
    // Of several it names none.
    expect(fieldsIn(told({ changed: ["order"] }))).toBe("Order");
    expect(fieldsIn(told({ changed: ["archived"] }))).toBe("archived");
    expect(fieldsIn(told({ ...review, changed: ["order"] }))).toBe("");
  });
});

describe("A sentence about a note", () => {
  it.each<[AuditEntry["action"], string]>([
    ["comment.created", "Olive wrote a note on “Dark mode”"],
    ["comment.updated", "Olive changed a note on “Dark mode”"],
    ["comment.deleted", "Olive deleted a note on “Dark mode”"],
  ])("is not the one about a comment: %s", (action, sentence) => {
    expect(sentenceOf(entry(action, { item: `${ID}/${ID}`, itemName: "Dark mode", to: "note" }))).toBe(sentence);
  });
});

describe("The changed fields of a record", () => {
  it("have the labels of their pages, and else the names that the API gives them", () => {
    const labelsOf = (...changed: string[]) => fieldsIn(entry("board.updated", { changed }));
    expect(labelsOf("color", "contentMarkdown", "view_voters")).toBe("Colour, Details, Everybody can see who voted");
    expect(labelsOf("toString", "voteOnBehalf")).toBe("toString, voteOnBehalf");
  });

  it("say whether a switch is on or off, also where a record is from before", () => {
    const of = (action: AuditEntry["action"], ...changed: string[]) => fieldsIn(entry(action, { changed }));
    expect(of("board.updated", "view_voters.off", "display.on")).toBe(
      "Everybody can see who voted: off, Visible to everybody: on",
    );
    expect(of("provider.updated", "enabled.off")).toBe("Status: off");
    expect(of("webhook.updated", "status.on")).toBe("Status: on");
    expect(of("site.updated", "requireTwoFactor.on", "voteOnBehalf.off")).toBe(
      "The team must use two-step sign-in: on, voteOnBehalf: off",
    );
    expect(of("site.updated", "requireTwoFactor")).toBe("The team must use two-step sign-in");
  });

  it.each<[AuditEntry["action"], string[], string]>([
    ["board.updated", ["url"], "Address"],
    ["webhook.updated", ["url", "status"], "Receiver URL, Status"],
    ["provider.updated", ["enabled", "scopes"], "Status, scopes"],
  ])("have in %s the labels of its kind of things", (action, changed, labels) => {
    expect(fieldsIn(entry(action, { changed }))).toBe(labels);
  });
});
