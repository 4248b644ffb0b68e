import { eventTypes } from "../../../lib/events/events.ts";
import type * as resource from "../../../lib/http/resources.ts";
import type { Request } from "../../support/http/invoke.ts";
import {
  type Account,
  anAccount,
  aPlace,
  aPost,
  type Place,
  type PlaceFields,
  Session,
  Site,
} from "../history/site.ts";
import { FICKLE } from "../world/receivers.ts";
import type { World } from "../world/world.ts";
import { BLOCKED_DOMAIN, NONE, passwordOf } from "./accounts.ts";
import { HELD_WORD } from "./moderation.ts";
import type { Profile } from "./profiles.ts";
import type { Tally } from "./turn.ts";

const LETTER_MS = 6000;

type Call = (name: string, request: Request) => Promise<Record<string, unknown>>;

/** Confirms the addresses of every second account, so that mails about posts go to them. */
async function confirmHalf(world: World, call: Call, accounts: readonly Account[]): Promise<void> {
  for (const account of accounts.filter((_, at) => at % 2 === 0)) {
    const token = account.sessions[0]?.token ?? "";
    await call("auth-email-verify", { token });
    await world.sleep(LETTER_MS);
    const letter = world.letters.findLast(({ to, purpose }) => to === account.email && purpose === "verify");
    if (letter) await call("auth-email-validate", { token, body: { token: letter.token } });
  }
}

/** The owner and a moderator who has confirmed the address choose the digest of the queue. */
async function chooseDigest(call: Call, accounts: readonly Account[]): Promise<void> {
  const mail = { status: true, comments: false, replies: true, ownPosts: true };
  for (const account of [accounts[0], accounts[2]]) {
    await call("users-update-notifications", {
      token: account?.sessions[0]?.token ?? "",
      body: { ...mail, digest: true },
    });
    account?.mail.assume(mail);
  }
}

/** Makes the site of a run, without faults: accounts with two sessions each, boards, roadmaps, posts. */
export async function populate(world: World, profile: Profile, tally: Tally): Promise<Site> {
  const call = (name: string, request: Request): Promise<Record<string, unknown>> => {
    tally.operations++;
    tally.succeeded.add(name);
    return world.must(name, request);
  };
  const listed = (await call("statuses-list", {})).statuses as resource.ListedStatus[];
  const site = new Site({
    title: "Site",
    statuses: Object.fromEntries(listed.map(({ id, name }) => [id, name])),
    mostPlaces: profile.mostPlaces,
    stored: world.stored,
    keys: { goneAt: world.service.secrets.goneAt, failedAt: () => world.keysFailedAt },
  });

  const addAccount = async (name: string, user: resource.User, role: "owner" | "member"): Promise<Account> => {
    const { userId, email, name: shownName } = user;
    const account = site.addAccount(
      anAccount(name, { userId, email, role, passwords: [passwordOf(email)], shownName }),
    );
    site.address(email).assume(true);
    new Session(`${name}, first`, account, user.authToken, site.keys);
    const again = await call("auth-log-in", { body: { email, password: passwordOf(email) } });
    new Session(`${name}, second`, account, (again.user as resource.User).authToken, site.keys);
    return account;
  };

  const addPlace = (kind: Place["kind"], id: string, { name, url, color, display }: PlaceFields): void => {
    site[kind].set(id, aPlace(kind, name, { id, seenAt: 0, fields: { name, url, color, display } }));
  };

  const email = "owner@example.com";
  const owned = await call("auth-set-up", {
    body: { siteTitle: "Site", email, password: passwordOf(email), name: "Owner" },
  });
  const owner = await addAccount("owner", owned.user as resource.User, "owner");
  const token = (): string => owner.sessions[0]?.token ?? "";
  await call("settings-update-moderation", {
    token: token(),
    body: { words: [HELD_WORD], blockedMailDomains: [BLOCKED_DOMAIN] },
  });
  await call("settings-moderation", { token: token() });
  const url = `https://${FICKLE}/`;
  await call("webhooks-create", { token: token(), body: { url, events: eventTypes } });
  world.receivers.eventsBefore = world.events.ids.length;
  for (let number = 0; number < profile.accounts; number++) {
    const email = `user.${number}@example.com`;
    const { user } = await call("auth-sign-up", {
      body: { email, password: passwordOf(email), name: `User ${number}` },
    });
    const account = await addAccount(`user ${number}`, user as resource.User, "member");
    if (number > 1) continue;
    await call("users-update", { token: token(), params: { userId: account.userId }, body: { role: "moderator" } });
    account.role.assume("moderator");
  }
  await confirmHalf(world, call, site.accounts);
  if (profile.hasDigest) await chooseDigest(call, site.accounts);
  const known = (await call("boards-list", { token: token(), query: {} })).boards as resource.BoardListItem[];
  for (const board of known) addPlace("boards", board.boardId, { ...board, display: true });
  for (let number = 0; number < Math.floor(profile.mostPlaces / 2); number++) {
    const { board } = await call("boards-create", { token: token(), body: { name: `Board ${number}` } });
    addPlace("boards", (board as resource.BoardDetail).boardId, board as resource.BoardDetail);
    const { roadmap } = await call("roadmaps-create", { token: token(), body: { name: `Roadmap ${number}` } });
    const { id, name } = roadmap as resource.RoadmapListItem;
    addPlace("roadmaps", id, roadmap as resource.RoadmapListItem);
    const [order = []] = site.order.between(world.scheduler.now, world.scheduler.now);
    site.order.assume([...order, name]);
  }
  const authors = site.accounts.slice(1);
  for (let number = 0; number < 12; number++) {
    const author = authors[number % authors.length] as Account;
    const session = author.sessions[0] as Session;
    const { post } = await call("posts-create", { token: session.token, body: { title: `First post ${number}` } });
    const { postId, title, contentMarkdown: content, boardId } = post as resource.CreatedPost;
    const states = [{ title, content, boardId, roadmapId: null, status: "open", isLocked: false, tags: [] }];
    site.posts.set(postId, aPost(`first ${number}`, { postId, author, seenAt: 0, states }));
  }
  const [first] = site.posts.values();
  for (let number = 0; first && number < profile.crowd; number++) {
    const email = `crowd.${number}@example.com`;
    const { user } = await call("users-create", { token: token(), body: { email, name: `Crowd ${number}` } });
    const { userId, name } = user as resource.ManagedUser;
    const account = anAccount(email, { userId, email, role: "member", passwords: [NONE], shownName: name });
    site.addAccount(account);
    site.address(email).assume(true);
    const assign = async () => {
      await call("votes-assign", { token: token(), params: { postId: first.postId, userId } });
      return { status: 200 };
    };
    await world.ledger.during({ userId, postId: first.postId, verb: "vote" }, () => world.scheduler.now, assign);
    first.voteOf(account).assume(true);
  }
  return site;
}
