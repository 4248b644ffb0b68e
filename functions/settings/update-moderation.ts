import * as z from "zod/mini";
import { changedPolicy, NOTHING_HELD, Whose } from "../../lib/accounts/moderation-policy.ts";
import * as site from "../../lib/accounts/site.ts";
import { defineEndpoint } from "../../lib/endpoint.ts";
import { changeIn, mapped, namesIn, optional } from "../../lib/http/inputs.ts";
import { tagOf } from "../../lib/http/preconditions.ts";
import { ModerationPolicy, policyView } from "../../lib/http/resources/held.ts";
import { Line } from "../../lib/http/text-inputs.ts";
import { changeStored } from "../../lib/table/retries.ts";

const MOST_WORDS = 200;
const LONGEST_WORD = 50;

const Words = mapped(z.array(Line(LONGEST_WORD)).check(z.maxLength(MOST_WORDS)), (words) => [...new Set(words)]);

const body = z.object({
  posts: optional(Whose),
  comments: optional(Whose),
  links: optional(z.boolean()),
  words: optional(Words),
});

/**
 * Chooses which posts and comments wait for the team before others see them: `first` holds texts of newcomers, of whom
 * the team has approved nothing yet; `all` holds all texts but the team's. `links` holds texts of newcomers with links,
 * `words` texts with one of these words. An absent field stays as it is. Held texts stay in the queue.
 */
export const handler = defineEndpoint({
  name: "settings-update-moderation",
  route: "PATCH /settings/moderation",
  permission: "settings:update",
  request: z.object({ body }),
  response: z.object({ moderation: ModerationPolicy }),
  errors: ["NOT_ENOUGH_PERMISSION"],
  table: { SITE: ["get", "update"] },
  etagOf: ({ moderation }) => tagOf(moderation),
  prefetch: () => site.find(),
  audit: "site.updated",
  trace: ({ body }) => ({ changed: namesIn(body) }),
  handle: async ({ body, prefetched, fail, checkState }) => {
    const changed = await changeStored(prefetched, site.find, (asRead) => {
      const before = asRead.moderation ?? NOTHING_HELD;
      checkState({ moderation: policyView(before) });
      return site.change(asRead, { moderation: changedPolicy(before, changeIn(body)) });
    });
    // Setup creates the owner together with the site: before setup no caller has the permission.
    if (!changed) throw fail("NOT_ENOUGH_PERMISSION");
    return { moderation: policyView(changed.moderation ?? NOTHING_HELD) };
  },
});
