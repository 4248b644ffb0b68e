import { beforeAll, describe, expect, it } from "vitest";
import { auditActions } from "../../../lib/events/audit.ts";
import { type AuditEntry, fieldsIn, sentenceOf } from "../../../portal/pages/manage/audit-words.ts";
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

  it("calls a role as the portal does, and a role that it does not know as the record does", () => {
    expect(sentenceOf(entry("user.role_changed", { accountName: "Ida", to: "moderator" }))).toContain("Moderator");
    expect(sentenceOf(entry("user.role_changed", { accountName: "Ida", to: "helper" }))).toContain("helper");
  });
});

describe("The changed fields of a record", () => {
  it("have the labels of their pages, and else the names that the API gives them", () => {
    const labelsOf = (...changed: string[]) => fieldsIn(entry("board.updated", { changed }));
    expect(labelsOf("color", "contentMarkdown", "view_voters")).toBe("Colour, Details, Everybody can see who voted");
    expect(labelsOf("toString", "voteOnBehalf")).toBe("toString, voteOnBehalf");
  });

  it.each<[AuditEntry["action"], string[], string]>([
    ["board.updated", ["url"], "End of the page’s address"],
    ["webhook.updated", ["url", "status"], "Receiver URL, Status"],
    ["provider.updated", ["enabled", "scopes"], "Status, scopes"],
  ])("have in %s the labels of its kind of things", (action, changed, labels) => {
    expect(fieldsIn(entry(action, { changed }))).toBe(labels);
  });
});
