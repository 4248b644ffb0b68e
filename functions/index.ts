import type { Endpoint } from "../lib/endpoint.ts";
import type { Group } from "../lib/group.ts";
import { handler as emailValidate } from "./auth/email-validate.ts";
import { handler as logIn } from "./auth/log-in.ts";
import { handler as logOut } from "./auth/log-out.ts";
import { handler as passwordReset } from "./auth/password-reset.ts";
import { handler as passwordSet } from "./auth/password-set.ts";
import { handler as passwordValidateToken } from "./auth/password-validate-token.ts";
import { handler as setUp } from "./auth/set-up.ts";
import { handler as signUp } from "./auth/sign-up.ts";
import { handler as boardsList } from "./boards/list.ts";
import { handler as boardsRead } from "./groups/boards-read.ts";
import { handler as boardsWrite } from "./groups/boards-write.ts";
import { handler as commentsRead } from "./groups/comments-read.ts";
import { handler as commentsWrite } from "./groups/comments-write.ts";
import { handler as keys } from "./groups/keys.ts";
import { handler as postsRead } from "./groups/posts-read.ts";
import { handler as postsWrite } from "./groups/posts-write.ts";
import { handler as roadmapsWrite } from "./groups/roadmaps-write.ts";
import { handler as search } from "./groups/search.ts";
import { handler as settingsRead } from "./groups/settings-read.ts";
import { handler as settingsWrite } from "./groups/settings-write.ts";
import { handler as users } from "./groups/users.ts";
import { handler as usersWrite } from "./groups/users-write.ts";
import { handler as postsBySlug } from "./posts/by-slug.ts";
import { handler as postsCreate } from "./posts/create.ts";
import { handler as postsDelete } from "./posts/delete.ts";
import { handler as postsList } from "./posts/list.ts";
import { handler as roadmapsByUrl } from "./roadmaps/by-url.ts";
import { handler as roadmapsList } from "./roadmaps/list.ts";
import { handler as roadmapsSearch } from "./roadmaps/search.ts";
import { handler as votesAdd } from "./votes/add.ts";
import { handler as votesRemove } from "./votes/remove.ts";

/**
 * The endpoints that have a function of their own: the endpoints of docs/contract.md and the endpoints that read or
 * write credentials.
 */
const alone: readonly Endpoint[] = [
  signUp,
  setUp,
  postsList,
  postsBySlug,
  votesAdd,
  votesRemove,
  roadmapsList,
  roadmapsSearch,
  roadmapsByUrl,
  postsCreate,
  postsDelete,
  boardsList,
  logIn,
  logOut,
  emailValidate,
  passwordReset,
  passwordValidateToken,
  passwordSet,
];

/** The groups of several endpoints. Which may share a function: docs/architecture.md#groups. */
const shared: readonly Group[] = [
  users,
  usersWrite,
  keys,
  settingsRead,
  settingsWrite,
  boardsRead,
  boardsWrite,
  roadmapsWrite,
  postsRead,
  postsWrite,
  search,
  commentsRead,
  commentsWrite,
].map(({ definition }) => definition);

/** The functions behind the API; the stack is made from them. */
export const groups: readonly Group[] = [
  ...alone.map((endpoint) => ({ name: endpoint.definition.name, endpoints: [endpoint] })),
  ...shared,
];

/** All endpoints: the local server, the OpenAPI document and tests are made from them. */
export const endpoints: readonly Endpoint[] = groups.flatMap((group) => group.endpoints);
