import * as z from "zod/mini";
import { changedPolicy, NOTHING_HELD, Whose } from "../../lib/accounts/moderation-policy.ts";
import * as site from "../../lib/accounts/site.ts";
import { defineEndpoint } from "../../lib/endpoint.ts";
import { BlockedDomains } from "../../lib/http/account-inputs.ts";
import { changeIn, mapped, optional, toldIn } from "../../lib/http/inputs.ts";
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
  blockedMailDomains: optional(BlockedDomains),
});

function changeOf({ blockedMailDomains, ...policy }: z.output<typeof body>, asRead: site.Site): site.SiteChange {
  const moderation = changedPolicy(asRead.moderation ?? NOTHING_HELD, changeIn(policy));
  return changeIn({ moderation, blockedMailDomains });
}

/**
 * Chooses which posts and comments wait for the team before others see them: `first` holds texts of newcomers, of whom
 * the team has approved nothing yet; `all` holds all texts but the team's. `links` holds texts of newcomers with links,
 * `words` texts with one of these words. Addresses of `blockedMailDomains` open no accounts:
 * docs/sign-in.md#blocked-domains. An absent field stays as it is. Held texts stay in the queue.
 */
export const handler = defineEndpoint({
  name: "settings-update-moderation",
  route: "PATCH /settings/moderation",
  permission: "settings:update",
  request: z.object({ body }),
  response: z.object({ moderation: ModerationPolicy }),
  errors: ["NOT_ENOUGH_PERMISSION"],
  table: { SITE: ["get", "update"], USER_COUNT: ["update"] },
  etagOf: ({ moderation }) => tagOf(moderation),
  prefetch: () => site.find(),
  audit: "site.updated",
  trace: ({ body }) => ({ changed: toldIn(body) }),
  handle: async ({ body, prefetched, fail, checkState }) => {
    const changed = await changeStored(prefetched, site.find, (asRead) => {
      checkState({ moderation: policyView(asRead) });
      return site.change(asRead, changeOf(body, asRead));
    });
    // Setup creates the owner together with the site: before setup no caller has the permission.
    if (!changed) throw fail("NOT_ENOUGH_PERMISSION");
    return { moderation: policyView(changed) };
  },
});
