import type { Preferences } from "../../../lib/accounts/preferences.ts";
import type { Role } from "../../../lib/accounts/roles.ts";
import { may, type Permission } from "../../../lib/auth/permissions.ts";
import { key } from "../../../lib/table/keys.ts";
import { Register } from "../../simulator/history/register.ts";
import type { StoredHistory } from "../world/stored.ts";

// The clients' knowledge of the site: every account, session, post, board and roadmap that an answer named, each as the
// registers of its changing parts.

export type Life = "live" | "gone";

// A reader of one item of a transaction may find its other items unchanged until the transaction is over.
const SETTLED_MS = 12_000;

/** A thing that a client made, and the time from which all of it surely exists. */
function made(seenAt: number) {
  return {
    since: seenAt + SETTLED_MS,
    acknowledge(at: number): void {
      this.since = Math.min(this.since, at);
    },
  };
}

function lifeOf(name: string): Register<Life> {
  return new Register<Life>(`life of ${name}`, ["live"]);
}

/** What an account gets, or follows, before its first choice. */
export const UNCHOSEN = "unchosen";
export type Unchosen = typeof UNCHOSEN;

type AccountFields = { userId: string; email: string; role: Role; passwords: readonly string[]; shownName: string };

export function anAccount(name: string, { userId, email, role, passwords, shownName }: AccountFields) {
  return {
    name,
    userId,
    email,
    role: new Register<Role>(`role of ${name}`, [role]),
    /** The version of its tokens: a logout and a new password raise it. */
    version: new Register<number>(`token version of ${name}`, [1]),
    /** How often all its API keys ended: by another role or a new password. */
    keyEra: new Register<number>(`era of the keys of ${name}`, [0]),
    /** Whether its address was surely confirmed by an answered call; it stays so. */
    isConfirmed: false,
    /** Whether it comes and goes (clients/leaving.ts): what it wrote is by nobody in the end. */
    isLeaving: false,
    password: new Register<string>(`password of ${name}`, passwords),
    shownName: new Register<string>(`name of ${name}`, [shownName]),
    names: new Set([shownName]),
    /** Which mails it gets; unchosen before its first choice. */
    mail: new Register<Preferences | Unchosen>(`mails to ${name}`, [UNCHOSEN]),
    sessions: [] as Session[],
    keys: [] as ApiKey[],
  };
}

export type Account = ReturnType<typeof anAccount>;

/** Whether credentials may have been accepted at some moment of a span, and whether they may have been refused. */
type Standing = { accepted: boolean; refused: boolean };

export abstract class Caller {
  readonly name: string;
  readonly account: Account;
  readonly token: string;
  /** The scopes of a key; undefined for all rights of the role. */
  readonly scopes: readonly string[] | undefined;

  constructor(name: string, account: Account, token: string, scopes?: readonly string[]) {
    this.name = name;
    this.account = account;
    this.token = token;
    this.scopes = scopes;
  }

  abstract standing(from: number, to: number): Standing;

  mayHave(permission: Permission, from: number, to: number): boolean {
    return this.account.role.between(from, to).some((role) => may({ role, scopes: this.scopes }, permission));
  }

  mayLack(permission: Permission, from: number, to: number): boolean {
    return this.account.role.between(from, to).some((role) => !may({ role, scopes: this.scopes }, permission));
  }
}

// Clocks of containers differ by less.
const CLOCK_MS = 10_000;

const FRESH_MS = 600_000;

// Containers look for new keys once an hour, and each minute after they did not get them.
const KEYS_KEPT_MS = 2 * 3_600_000;

// If that fails, they keep the former keys, for a minute at a time and a day at most (docs/contract.md#tokens).
const KEYS_KEPT_IN_OUTAGE_MS = 25 * 3_600_000;
const AN_ATTEMPT_MS = 62_000;

type SigningKeys = {
  /** The time when a version of the secret was rotated out; infinite if it was not. */
  goneAt: (version: string) => number;
  /** The last time when a container failed to get the keys. */
  failedAt: () => number;
};

function partOf<T>(token: string, part: number): T {
  return JSON.parse(Buffer.from(token.split(".")[part] ?? "", "base64url").toString()) as T;
}

export class Session extends Caller {
  readonly version: number;
  readonly issuedAt: number;
  /** When it expires, by the clock of the container that issued it. */
  readonly expiresAt: number;
  readonly signedBy: string;
  readonly #keys: SigningKeys;

  constructor(name: string, account: Account, token: string, keys: SigningKeys) {
    super(name, account, token);
    const { tv, iat, exp } = partOf<{ tv: number; iat: number; exp: number }>(token, 1);
    this.version = tv;
    this.issuedAt = iat * 1000;
    this.expiresAt = exp * 1000;
    this.signedBy = partOf<{ kid: string }>(token, 0).kid;
    this.#keys = keys;
    account.sessions.push(this);
  }

  /** The time at which it has surely ended: it expires, or the key that signed it ends. */
  get endsAt(): number {
    return Math.min(this.expiresAt, this.#keys.goneAt(this.signedBy));
  }

  /** Whether it may be young enough to make a key, and whether it may be too old. */
  freshness(from: number, to: number): Standing {
    const last = this.issuedAt + FRESH_MS;
    return { accepted: from < last + CLOCK_MS, refused: to > last - CLOCK_MS };
  }

  standing(from: number, to: number): Standing {
    const versions = this.account.version.between(from, to);
    const kept = this.#keys.failedAt() > from - AN_ATTEMPT_MS ? KEYS_KEPT_IN_OUTAGE_MS : KEYS_KEPT_MS;
    const lastUse = Math.min(this.expiresAt + CLOCK_MS, this.#keys.goneAt(this.signedBy) + kept);
    return {
      accepted: versions.includes(this.version) && from < lastUse,
      refused: versions.some((version) => version !== this.version) || to > this.endsAt - CLOCK_MS,
    };
  }
}

export class ApiKey extends Caller {
  readonly keyId: string;
  readonly life: Register<Life>;
  readonly #eras: readonly number[];

  constructor(
    name: string,
    account: Account,
    of: { secret: string; keyId: string; scopes: readonly string[]; from: number; to: number },
  ) {
    super(name, account, of.secret, of.scopes);
    this.keyId = of.keyId;
    this.#eras = account.keyEra.between(of.from, of.to);
    this.life = lifeOf(`key ${name}`);
    account.keys.push(this);
  }

  mayHaveEndedWithAll(from: number, to: number): boolean {
    return this.account.keyEra.between(from, to).some((era) => this.#eras.some((own) => own !== era));
  }

  /** Accepted if it may be there, refused if it may be gone. */
  standing(from: number, to: number): Standing {
    const lives = this.life.between(from, to);
    const eras = this.account.keyEra.between(from, to);
    return {
      accepted: lives.includes("live") && eras.some((era) => this.#eras.includes(era)),
      refused: lives.includes("gone") || this.mayHaveEndedWithAll(from, to),
    };
  }
}

export type PostFields = {
  title: string;
  content: string | null;
  boardId: string | null;
  roadmapId: string | null;
  status: string;
  isLocked: boolean;
  /** The ids of its tags, in their order; also of tags that are deleted since. */
  tags: readonly string[];
};

export type CommentState = { body: string; isInternal: boolean } | "gone";

type CommentFields = { id: string; author: Account; body: string; isInternal: boolean; seenAt: number };

export function aComment(name: string, { id, author, body, isInternal, seenAt }: CommentFields) {
  const state = new Register<CommentState>(`comment ${name}`, [{ body, isInternal }]);
  return Object.assign(made(seenAt), { name, id, author, state });
}

export type Comment = ReturnType<typeof aComment>;

function distinct<S>(states: readonly S[]): readonly S[] {
  return [...new Set(states)];
}

export function aPost(
  name: string,
  { postId, author, seenAt, states }: { postId: string; author: Account; seenAt: number; states: PostFields[] },
) {
  const life = lifeOf(`post ${name}`);
  const votes = new Map<Account, Register<boolean>>();
  const follows = new Map<Account, Register<boolean | Unchosen>>();
  let joined: StoredHistory | undefined;
  const followVote = (stored: StoredHistory, { userId }: Account, vote: Register<boolean>): void =>
    vote.follow((from, to) =>
      distinct(stored.between(key.userVote(userId, postId), from, to).map((item) => item !== undefined)),
    );
  const followChoice = (stored: StoredHistory, { userId }: Account, choice: Register<boolean | Unchosen>): void =>
    choice.follow((from, to) =>
      distinct(
        stored
          .between(key.subscription(postId, userId), from, to)
          .map((item): boolean | Unchosen => (item ? item.on === true : UNCHOSEN)),
      ),
    );
  const post = Object.assign(made(seenAt), {
    name,
    postId,
    author,
    life,
    /** Whether it takes part in a merge, or did. */
    isJoined: false,
    /** It may take part in a merge. From now on what a merge changes is as the store has it (world/ledger.ts). */
    join(stored: StoredHistory): void {
      if (joined) return;
      joined = stored;
      post.isJoined = true;
      life.follow((from, to) =>
        distinct(stored.between(key.post(postId), from, to).map((item): Life => (item ? "live" : "gone"))),
      );
      for (const [account, vote] of votes) followVote(stored, account, vote);
      for (const [account, choice] of follows) followChoice(stored, account, choice);
    },
    fields: new Register<PostFields>(`post ${name}`, states),
    comments: new Map<string, Comment>(),
    /** Comments whose creation got no answer, by their texts. */
    unanswered: new Map<string, { author: Account; isInternal: boolean; name: string }>(),
    votes,
    voteOf: (account: Account): Register<boolean> => {
      const vote = votes.get(account) ?? new Register<boolean>(`vote of ${account.name} on ${name}`, [false], String);
      if (joined && !vote.isFollowing) followVote(joined, account, vote);
      votes.set(account, vote);
      return vote;
    },
    /** Whether an account chose to follow the post, or to leave it. */
    followOf: (account: Account): Register<boolean | Unchosen> => {
      const name = `whether ${account.name} follows the post`;
      const follow = follows.get(account) ?? new Register<boolean | Unchosen>(name, [UNCHOSEN], String);
      if (joined && !follow.isFollowing) followChoice(joined, account, follow);
      follows.set(account, follow);
      return follow;
    },
  });
  return post;
}

export type Post = ReturnType<typeof aPost>;

export type PlaceFields = { name: string; url: string; color: string; display: boolean };

export function aPlace(
  kind: "boards" | "roadmaps",
  name: string,
  { id, seenAt, fields }: { id: string; seenAt: number; fields: PlaceFields },
) {
  const life = lifeOf(name);
  return Object.assign(made(seenAt), { kind, name, id, life, fields: new Register<PlaceFields>(name, [fields]) });
}

export type Place = ReturnType<typeof aPlace>;

export type TagFields = { name: string; color: string };

export function aTag(name: string, { id, seenAt, fields }: { id: string; seenAt: number; fields: TagFields }) {
  return Object.assign(made(seenAt), { name, id, life: lifeOf(name), fields: new Register<TagFields>(name, [fields]) });
}

export type Tag = ReturnType<typeof aTag>;

export type WebhookFields = { url: string; description: string };

export function aWebhook(webhookId: string, { seenAt, fields }: { seenAt: number; fields: WebhookFields }) {
  const name = `webhook ${fields.description}`;
  return Object.assign(made(seenAt), {
    name,
    webhookId,
    life: lifeOf(name),
    fields: new Register<WebhookFields>(name, [fields]),
    /** All secrets that it had. */
    secrets: new Set<string>(),
  });
}

export type Webhook = ReturnType<typeof aWebhook>;

/** A post whose creation got no answer; its title identifies it. */
type UnansweredPost = {
  name: string;
  author: Account;
  title: string;
  content: string | null;
  boardId: string | undefined;
};

export type Settings = { title: string; allowSignup: boolean; voteOnBehalf: boolean };

export class Site {
  readonly accounts: Account[] = [];
  readonly byUserId = new Map<string, Account>();
  readonly posts = new Map<string, Post>();
  readonly boards = new Map<string, Place>();
  readonly roadmaps = new Map<string, Place>();
  readonly unansweredPosts = new Map<string, UnansweredPost>();
  /** Boards and roadmaps whose creation got no answer, by their names, and whether everybody sees them. */
  readonly unansweredPlaces = new Map<string, boolean>();
  readonly tags = new Map<string, Tag>();
  /** The names of tags whose creation got no answer. */
  readonly unansweredTags = new Set<string>();
  /** The webhooks that clients made. */
  readonly webhooks = new Map<string, Webhook>();
  /** The descriptions of webhooks whose creation got no answer. */
  readonly unansweredWebhooks = new Set<string>();
  /** The names of the roadmaps, in their order. */
  readonly order = new Register<readonly string[]>("order of the roadmaps", [[]], (names) => names.join());
  /** Addresses: whether each has an account. */
  readonly addresses = new Map<string, Register<boolean>>();
  readonly settings: Register<Settings>;
  readonly statuses: Register<Record<string, string>>;

  /** The largest numbers of boards and of roadmaps. */
  readonly mostPlaces: number;
  readonly keys: SigningKeys;
  readonly stored: StoredHistory;

  constructor(of: Pick<Site, "mostPlaces" | "keys" | "stored"> & { title: string; statuses: Record<string, string> }) {
    this.mostPlaces = of.mostPlaces;
    this.keys = of.keys;
    this.stored = of.stored;
    this.settings = new Register<Settings>("settings", [{ title: of.title, allowSignup: true, voteOnBehalf: false }]);
    this.statuses = new Register<Record<string, string>>("statuses", [of.statuses]);
  }

  addAccount(account: Account): Account {
    this.accounts.push(account);
    this.byUserId.set(account.userId, account);
    return account;
  }

  address(email: string): Register<boolean> {
    const known = this.addresses.get(email) ?? new Register<boolean>(`address ${email}`, [false], String);
    this.addresses.set(email, known);
    return known;
  }

  accountOf(email: string): Account | undefined {
    return this.accounts.find((account) => account.email === email);
  }
}
