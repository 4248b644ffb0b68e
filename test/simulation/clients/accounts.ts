import { newNames } from "../../../lib/accounts/new-names.ts";
import { groupOf, type Role } from "../../../lib/accounts/roles.ts";
import type * as resource from "../../../lib/http/resources.ts";
import type { Effect } from "../../simulator/history/register.ts";
import { type Account, anAccount, Session, type Site } from "../history/site.ts";
import { expectThat } from "../history/violation.ts";
import type { Letter } from "../world/world.ts";
import { isLeaving } from "./newcomers.ts";
import { type Answer, becomes, change, type Family, pages, type Turn } from "./turn.ts";

/** The same at every signup of an address, so that an account is known even if its signup got no answer. */
export function passwordOf(email: string): string {
  return `password of ${email}`;
}
/** The addresses of accounts that a mail made: nobody signs up with one of them. */
export function mailedAddress(number: number): string {
  return `mailed.${number}@example.com`;
}
function nameOf(email: string): string {
  // A sign-in by mail tells no name; a provider or a page of the product does.
  if (/^mailed\.\d+@/.test(email)) return newNames.en;
  if (email.startsWith("mailed.")) return email.split("@")[0] ?? "";
  return `Person ${email.split("@")[0]}`;
}

// The password of an account that the owner or a mail made: none is right.
export const NONE = "no password";

/** The passwords that a new account may have. */
function passwordsOf(email: string, signedUp: boolean): string[] {
  if (email.startsWith("mailed.")) return [NONE];
  return signedUp ? [passwordOf(email)] : [passwordOf(email), NONE];
}

/** A domain that the owner has blocked from the start. */
export const BLOCKED_DOMAIN = "spam.example";

/** The account of an answer, which is now known; `signedUp`: by a signup, not by the owner. */
export function accountOf(site: Site, view: { userId: string; email: string }, signedUp = false): Account {
  const known = site.byUserId.get(view.userId);
  if (known) return known;
  const { userId, email } = view;
  expectThat(site.accountOf(email) === undefined, `${email} has two accounts`);
  return site.addAccount(
    anAccount(email.split("@")[0] ?? "", {
      userId,
      email,
      role: "member",
      passwords: passwordsOf(email, signedUp),
      shownName: nameOf(email),
    }),
  );
}

export function sessionOf(turn: Pick<Turn, "id" | "site">, user: resource.User): Session {
  return new Session(`session ${turn.id}`, accountOf(turn.site, user, true), user.authToken, turn.site.keys);
}

const made: Effect<boolean> = (isTaken) => [{ state: true, outcome: isTaken ? "exists" : "made" }];

async function signUp(turn: Turn): Promise<void> {
  const { site } = turn;
  const email = `new.${Math.floor(site.accounts.length / 3)}.${turn.random.below(3)}@example.com`;
  const body = { email, password: passwordOf(email), name: nameOf(email) };
  const outcomes = { 201: "made", USER_EXISTS: "exists" };
  const answer = await turn.write([change(site.address(email), made)], outcomes, () =>
    turn.call(undefined, "auth-sign-up", { body }),
  );
  turn.expectStatus(answer, 201, "USER_EXISTS", "SIGNUP_NOT_ALLOWED");
  const allowed = site.settings.between(answer.from, answer.to).map(({ allowSignup }) => allowSignup);
  if (answer.code === "SIGNUP_NOT_ALLOWED") expectThat(allowed.includes(false), "signup is refused while it is open");
  if (answer.status !== 201) return;
  expectThat(allowed.includes(true), "signup is allowed while it is closed");
  sessionOf(turn, answer.body.user as resource.User);
}

/** Signs up by a domain that is blocked, which makes no account whatever else happens. */
async function signUpBlocked(turn: Turn): Promise<void> {
  const email = `new.${turn.id}@mx.${BLOCKED_DOMAIN}`;
  const answer = await turn.call(undefined, "auth-sign-up", { body: { email, password: passwordOf(email) } });
  turn.expectStatus(answer, "SIGNUP_NOT_ALLOWED");
}

async function createUser(turn: Turn): Promise<void> {
  const session = turn.sessionAs("owner");
  if (!session) return;
  const { site } = turn;
  const email = turn.random.chance(0.5)
    ? `new.${Math.floor(site.accounts.length / 3)}.${turn.random.below(3)}@example.com`
    : (turn.pick(site.accounts)?.email ?? "");
  const body = { email, name: nameOf(email) };
  const outcomeOf = ({ status, body }: Answer) => {
    if (status !== 200) return undefined;
    return body.created === true ? "made" : "exists";
  };
  const answer = await turn.write([change(site.address(email), made)], outcomeOf, () =>
    turn.call(session, turn.random.oneOf(["users-create", "users-invite"]), { body }),
  );
  turn.expectStatus(answer, 200);
  if (answer.status === 200) accountOf(site, answer.body.user as resource.ManagedUser);
}

async function logIn(turn: Turn): Promise<void> {
  const { site, now } = turn;
  const few = (account: Account): boolean =>
    account.sessions.filter((session) => session.standing(now, now).accepted).length < 3;
  const account = turn.pick(site.accounts, (each) => turn.random.chance(0.1) || few(each));
  if (!account) return;
  const right = turn.random.oneOf(account.password.between(now, now));
  const password = turn.random.chance(0.08) ? "not the password" : right;
  const answer = await turn.call(undefined, "auth-log-in", { body: { email: account.email, password } });
  turn.expectStatus(answer, 200, "INCORRECT_PASSWORD");
  const { from, to } = answer;
  const passwords = account.password.between(from, to);
  const mayRefuse = passwords.some((each) => each !== password || each === NONE);
  if (answer.code === "INCORRECT_PASSWORD") expectThat(mayRefuse, `login refuses the password of ${account.name}`);
  if (answer.status !== 200) return;
  expectThat(passwords.includes(password), `login takes a wrong password of ${account.name}`);
  account.password.learn(from, to, (each) => each === password);
  const session = sessionOf(turn, answer.body.user as resource.User);
  expectThat(session.account === account, "login signs in as another account");
  const isCurrent = account.version.between(from, to).includes(session.version);
  expectThat(isCurrent, `login of ${account.name} answers an ended session`);
  account.version.learn(from, to, (each) => each === session.version);
}

/** Two parallel logouts both answer that the session is ended. */
function ended(session: Session): Effect<number> {
  return (version) =>
    version === session.version
      ? [{ state: version + 1, outcome: "ended" }]
      : [
          { state: version, outcome: "had ended" },
          { state: version, outcome: "ended" },
        ];
}

async function logOut(turn: Turn): Promise<void> {
  const session = turn.session(
    ({ role }) => !role.between(turn.now, turn.now).includes("owner") || turn.random.chance(0.2),
  );
  if (!session) return;
  // A token that has expired, or whose key has ended, is also refused for that reason.
  const outcomeOf = ({ status, code, to }: Answer): string | undefined => {
    if (status === 204) return "ended";
    return code === "INVALID_TOKEN" && session.endsAt > to + 60_000 ? "had ended" : undefined;
  };
  const answer = await turn.write([change(session.account.version, ended(session))], outcomeOf, () =>
    turn.call(session, "auth-log-out", {}),
  );
  turn.expectStatus(answer, 204);
}

/** How long a client waits for a letter. */
export const LETTER_MS = 6000;

export function letterTo(turn: Turn, email: string, purpose: Letter["purpose"], since: number): Letter | undefined {
  return turn.world.letters.findLast(
    (letter) => letter.to === email && letter.purpose === purpose && letter.at >= since,
  );
}

const raised: Effect<number> = (version) => [
  { state: version + 1, outcome: "set" },
  { state: version, outcome: "refused" },
];

async function resetPassword(turn: Turn): Promise<void> {
  const account = turn.pick(turn.site.accounts, ({ role }) => !role.between(turn.now, turn.now).includes("owner"));
  if (!account) return;
  const asked = turn.now;
  const request = await turn.call(undefined, "auth-password-reset", { body: { email: account.email } });
  if (!turn.expectStatus(request, 200)) return;
  await turn.world.sleep(LETTER_MS);
  const letter = letterTo(turn, account.email, "reset", asked);
  if (!letter) return;
  if (turn.random.chance(0.3)) {
    const answer = await turn.call(undefined, "auth-password-validate-token", { body: { token: letter.token } });
    turn.expectStatus(answer, 200);
  }
  const password = `password ${turn.id} of ${account.name}`;
  const set: Effect<string> = (before) => [
    { state: password, outcome: "set" },
    { state: before, outcome: "refused" },
  ];
  const changes = [
    change(account.password, set),
    change(account.version, raised),
    change(account.keyEra, raised),
    change(letter.isTaken, taken),
  ];
  const answer = await turn.write(changes, { 200: "set", INVALID_TOKEN: "refused" }, () =>
    turn.call(undefined, "auth-password-set", { body: { token: letter.token, password } }),
  );
  if (turn.expectStatus(answer, 200)) account.isConfirmed = true;
  const mayBeOver =
    account.version.between(asked, answer.to).length > 1 || letter.isTaken.between(asked, answer.to).includes(true);
  if (answer.code === "INVALID_TOKEN") expectThat(mayBeOver, "a fresh token of a mail is refused");
}

/** Changes the password by the present one, now and then by a wrong one; the session continues with another token. */
async function changePassword(turn: Turn): Promise<void> {
  const session = turn.session(({ role }) => !role.between(turn.now, turn.now).includes("owner"));
  if (!session) return;
  const { account } = session;
  const present = turn.random.oneOf(account.password.between(turn.now, turn.now));
  const typed = turn.random.chance(0.2) ? "not the password" : present;
  const newPassword = `password ${turn.id} of ${account.name}`;
  const fits = (password: string): boolean => password === typed;
  // None was typed for an account that has one.
  const isWrong = ({ code }: { code?: string | undefined }) =>
    code === "INCORRECT_PASSWORD" || code === "PASSWORD_MISSING";
  const set: Effect<string> = (before) => [
    ...(fits(before) ? [{ state: newPassword, outcome: "set" }] : []),
    { state: before, outcome: "refused" },
  ];
  const ends: Effect<number> = (version) => [
    ...(version === session.version ? [{ state: version + 1, outcome: "set" }] : []),
    { state: version, outcome: "refused" },
  ];
  const answer = await turn.write([change(account.password, set), change(account.version, ends)], { 200: "set" }, () =>
    turn.call(
      session,
      "users-change-password",
      { body: { newPassword, ...(typed !== NONE && { password: typed }) } },
      { mayRefuse: isWrong },
    ),
  );
  turn.expectStatus(answer, 200, "SIGN_IN_AGAIN");
  const passwords = account.password.between(answer.from, answer.to);
  if (isWrong(answer)) expectThat(!passwords.every(fits), `the password of ${account.name} is refused at its change`);
  if (answer.status !== 200) return;
  const next = sessionOf(turn, answer.body.user as resource.User);
  expectThat(next.account === account, "a change of the password signs in to another account");
  expectThat(next.issuedAt === session.issuedAt, "a change of the password makes a session younger");
}

/** The token of a mail works once; it may be refused for other reasons too. */
export const taken: Effect<boolean> = (isTaken) => [
  { state: isTaken, outcome: "refused" },
  ...(isTaken ? [] : [{ state: true, outcome: "set" }]),
];

async function rename(turn: Turn): Promise<void> {
  const session = turn.session();
  if (!session) return;
  const { account } = session;
  const name = `Name ${turn.id}`;
  account.names.add(name);
  const answer = await turn.write([change(account.shownName, becomes(name, "changed"))], { 200: "changed" }, () =>
    turn.call(session, "users-update-profile", { body: { name } }),
  );
  turn.expectStatus(answer, 200);
}

async function profile(turn: Turn): Promise<void> {
  const session = turn.session();
  if (!session) return;
  const answer = await turn.call(session, "users-profile", {});
  if (!turn.expectStatus(answer, 200)) return;
  const view = answer.body.user as resource.Profile;
  const { account } = session;
  const isOwn = view.userId === account.userId && view.email === account.email;
  expectThat(isOwn, "users-profile answers another account", view);
  checkName(account, view.name, answer);
}

function checkName(account: Account, name: string, { from, to, endpoint }: Answer): void {
  const names = account.shownName.between(from, to);
  expectThat(names.includes(name), `${endpoint} shows ${account.name} with another name`, [name, names]);
  account.shownName.learn(from, to, (each) => each === name);
}

async function setRole(turn: Turn): Promise<void> {
  const session = turn.sessionAs("owner");
  const account = turn.pick(
    turn.site.accounts.slice(0, 14),
    ({ role }) => !role.between(turn.now, turn.now).includes("owner"),
  );
  if (!session || !account) return;
  const current = account.role.between(turn.now, turn.now);
  const role = current.includes("suspended")
    ? "member"
    : turn.random.oneOf(["member", "member", "moderator", "suspended"] as const);
  // The same role again changes nothing.
  const mayStay = current.includes(role) || !account.role.isQuiet(turn.now);
  const endsKeys: Effect<number> = (era) => [
    { state: era + 1, outcome: "given" },
    ...(mayStay ? [{ state: era, outcome: "given" }] : []),
  ];
  const changes = [change(account.role, becomes<Role>(role, "given")), change(account.keyEra, endsKeys)];
  const answer = await turn.write(changes, { 200: "given" }, () =>
    turn.call(session, "users-update", { params: { userId: account.userId }, body: { role } }),
  );
  turn.expectStatus(answer, 200);
}

/** Walks along all accounts: each comes once, none is left out, and none has changed. */
async function listUsers(turn: Turn): Promise<void> {
  const session = turn.sessionAs("owner");
  if (!session) return;
  const from = turn.now;
  const known = turn.site.accounts.map(({ userId }) => userId);
  const seen = new Set<string>();
  const send = (more: object) => turn.call(session, "users-list", { query: { first: "60", ...more } });
  for await (const answer of pages(send)) {
    if (!turn.expectStatus(answer, 200) || turn.now - from > 60_000) return;
    for (const view of answer.body.results as resource.ListedUser[]) {
      if (isLeaving(view)) continue;
      expectThat(!seen.has(view.userId), "users-list shows an account twice", view);
      seen.add(view.userId);
      const account = accountOf(turn.site, view);
      checkName(account, view.name, answer);
      const roles = account.role.between(answer.from, answer.to);
      const { role } = view;
      expectThat(roles.includes(role as Role), `users-list shows ${account.name} with another role`, [role, roles]);
    }
  }
  for (const userId of known) expectThat(seen.has(userId), `users-list lacks ${turn.site.byUserId.get(userId)?.name}`);
}

/** Finds an account by its name, as long as it has it. */
async function findPerson(turn: Turn): Promise<void> {
  const session = turn.sessionAs("owner");
  const account = turn.pick(turn.site.accounts);
  if (!session || !account) return;
  const [q = ""] = account.shownName.between(turn.now, turn.now);
  const answer = await turn.call(session, "users-list", { query: { q, first: "60" } });
  if (!turn.expectStatus(answer, 200)) return;
  const found = (answer.body.results as resource.ListedUser[]).some(({ userId }) => userId === account.userId);
  const names = account.shownName.between(answer.from, answer.to);
  if (names.every((name) => name === q)) expectThat(found, `users-list does not find ${account.name} by its name`, q);
}

/** Lists the team or suspended accounts: nobody who is in the group all the time is left out. */
async function listGroup(turn: Turn): Promise<void> {
  const session = turn.sessionAs("owner");
  if (!session) return;
  const group = turn.random.oneOf(["team", "suspended"] as const);
  const from = turn.now;
  const known = [...turn.site.accounts];
  const seen = new Set<string>();
  const send = (more: object) => turn.call(session, "users-list", { query: { group, first: "3", ...more } });
  for await (const answer of pages(send)) {
    if (!turn.expectStatus(answer, 200) || turn.now - from > 60_000) return;
    for (const { userId } of answer.body.results as resource.ListedUser[]) seen.add(userId);
  }
  for (const { userId, name, role } of known) {
    const groups = role.between(from, turn.now).map(groupOf);
    if (groups.every((each) => each === group)) expectThat(seen.has(userId), `the list of ${group} lacks ${name}`);
    if (!groups.includes(group)) expectThat(!seen.has(userId), `the list of ${group} has ${name}`, groups);
  }
}

/** Endpoints whose answers concern the caller alone. */
async function look(turn: Turn): Promise<void> {
  const endpoint = turn.random.oneOf(["users-permissions", "users-posts", "users-votes"] as const);
  if (endpoint !== "users-permissions") return readOwn(turn, endpoint);
  const session = turn.session();
  if (!session) return;
  const answer = await turn.call(session, endpoint, {});
  turn.expectStatus(answer, 200);
}

async function lookAtDashboard(turn: Turn): Promise<void> {
  const session = turn.random.chance(0.7) ? turn.sessionAs("owner", "moderator") : turn.session();
  if (!session) return;
  const answer = await turn.call(session, "users-dashboard", {});
  turn.expectStatus(answer, 200);
}

/** The posts that an account wrote or voted for: the newest first, each once. */
async function readOwn(turn: Turn, endpoint: "users-posts" | "users-votes"): Promise<void> {
  const session = turn.session();
  if (!session) return;
  const send = (more: object) => turn.call(session, endpoint, { query: { first: "20", ...more } });
  await readPostsOf(turn, endpoint, session.account, send);
}

/** Reads a list of an account's posts to its end. */
async function readPostsOf(
  turn: Turn,
  endpoint: "users-posts" | "users-votes" | "users-posts-of",
  of: Account,
  send: (more: object) => Promise<Answer>,
): Promise<void> {
  const seen: string[] = [];
  for await (const answer of pages(send)) {
    if (!turn.expectStatus(answer, 200)) return;
    for (const { postId, author } of answer.body.results as resource.Post[]) {
      const isNext = postId < (seen.at(-1) ?? "~");
      expectThat(isNext, `${endpoint} shows ${postId} in the wrong place`, seen);
      const isTheirs = endpoint === "users-votes" || author.userId === of.userId;
      expectThat(isTheirs, `${endpoint} shows a post of ${author.name} among those of ${of.name}`);
      seen.push(postId);
    }
  }
}

/** The posts that another account wrote, for the team. */
async function readPerson(turn: Turn): Promise<void> {
  const session = turn.random.chance(0.7) ? turn.sessionAs("owner", "moderator") : turn.session();
  const account = turn.pick(turn.site.accounts);
  if (!session || !account) return;
  const params = { userId: account.userId };
  const send = (more: object) => turn.call(session, "users-posts-of", { params, query: { first: "2", ...more } });
  await readPostsOf(turn, "users-posts-of", account, send);
}

async function verify(turn: Turn): Promise<void> {
  const session = turn.session();
  if (!session) return;
  const asked = turn.now;
  const request = await turn.call(session, "auth-email-verify", {});
  if (!turn.expectStatus(request, 200)) return;
  await turn.world.sleep(LETTER_MS);
  const letter = letterTo(turn, session.account.email, "verify", asked);
  if (!letter) return;
  const answer = await turn.call(
    session,
    "auth-email-validate",
    { body: { token: letter.token } },
    { mayRefuse: () => true },
  );
  if (turn.expectStatus(answer, 200)) session.account.isConfirmed = true;
}

/** Asks for another address and thinks better of it: the link to it, which arrives before or after, changes nothing. */
async function withdrawAddress(turn: Turn): Promise<void> {
  const session = turn.session();
  if (!session) return;
  const asked = turn.now;
  const email = `other.${turn.id}@example.com`;
  const ask = (body: object) => turn.call(session, "users-change-email", { body });
  // A request without an answer may be carried out after the withdrawal.
  const isAsked = turn.expectStatus(await ask({ email }), 202, "SIGN_IN_AGAIN");
  const isWithdrawn = turn.expectStatus(await ask({ email: session.account.email }), 202);
  await turn.world.sleep(LETTER_MS);
  const letter = letterTo(turn, email, "verify", asked);
  if (!letter || !isAsked || !isWithdrawn) return;
  const body = { token: letter.token };
  const answer = await turn.call(session, "auth-email-validate", { body }, { mayRefuse: () => true });
  expectThat(answer.status !== 200, "an address counts that was withdrawn");
}

async function setUp(turn: Turn): Promise<void> {
  const status = await turn.call(undefined, "auth-setup-status", {});
  turn.expectStatus(status, 200);
  if (status.status === 200) expectThat(status.body.is_setup === true, "the site is not set up any more");
  const body = {
    siteTitle: "Another",
    email: `owner.${turn.random.below(9)}@example.com`,
    password: "another password",
  };
  turn.expectStatus(await turn.call(undefined, "auth-set-up", { body }), "SETUP_COMPLETED");
}

export const accounts: Family = {
  signUp: { weight: 1.5, act: signUp },
  signUpBlocked: { weight: 0.2, act: signUpBlocked },
  createUser: { weight: 0.5, act: createUser },
  logIn: { weight: 4, act: logIn },
  logOut: { weight: 1, act: logOut },
  resetPassword: { weight: 0.6, act: resetPassword },
  changePassword: { weight: 0.6, act: changePassword },
  rename: { weight: 0.8, act: rename },
  profile: { weight: 1.5, act: profile },
  setRole: { weight: 1.2, act: setRole },
  listUsers: { weight: 0.3, act: listUsers },
  listGroup: { weight: 0.3, act: listGroup },
  findPerson: { weight: 0.4, act: findPerson },
  look: { weight: 1, act: look },
  readPerson: { weight: 0.4, act: readPerson },
  lookAtDashboard: { weight: 0.3, act: lookAtDashboard },
  verify: { weight: 0.3, act: verify },
  withdrawAddress: { weight: 0.3, act: withdrawAddress },
  setUp: { weight: 0.2, act: setUp },
};
