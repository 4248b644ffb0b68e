import type { Endpoint } from "../lib/endpoint.ts";
import { handler as emailValidate } from "./auth/email-validate.ts";
import { handler as emailVerify } from "./auth/email-verify.ts";
import { handler as logIn } from "./auth/log-in.ts";
import { handler as passwordReset } from "./auth/password-reset.ts";
import { handler as passwordSet } from "./auth/password-set.ts";
import { handler as passwordValidateToken } from "./auth/password-validate-token.ts";
import { handler as setUp } from "./auth/set-up.ts";
import { handler as setupStatus } from "./auth/setup-status.ts";
import { handler as signUp } from "./auth/sign-up.ts";
import { handler as boardsBrowse } from "./boards/browse.ts";
import { handler as boardsByUrl } from "./boards/by-url.ts";
import { handler as boardsCheckSlug } from "./boards/check-slug.ts";
import { handler as boardsCreate } from "./boards/create.ts";
import { handler as boardsDelete } from "./boards/delete.ts";
import { handler as boardsList } from "./boards/list.ts";
import { handler as boardsSearch } from "./boards/search.ts";
import { handler as boardsUpdate } from "./boards/update.ts";
import { handler as postsBySlug } from "./posts/by-slug.ts";
import { handler as postsCreate } from "./posts/create.ts";
import { handler as postsDelete } from "./posts/delete.ts";
import { handler as postsList } from "./posts/list.ts";
import { handler as postsUpdate } from "./posts/update.ts";
import { handler as postsVotes } from "./posts/votes.ts";
import { handler as roadmapsByUrl } from "./roadmaps/by-url.ts";
import { handler as roadmapsCreate } from "./roadmaps/create.ts";
import { handler as roadmapsDelete } from "./roadmaps/delete.ts";
import { handler as roadmapsList } from "./roadmaps/list.ts";
import { handler as roadmapsSearch } from "./roadmaps/search.ts";
import { handler as roadmapsSort } from "./roadmaps/sort.ts";
import { handler as roadmapsUpdate } from "./roadmaps/update.ts";
import { handler as settingsSite } from "./settings/site.ts";
import { handler as settingsUpdate } from "./settings/update.ts";
import { handler as usersList } from "./users/list.ts";
import { handler as usersPermissions } from "./users/permissions.ts";
import { handler as usersProfile } from "./users/profile.ts";
import { handler as usersUpdate } from "./users/update.ts";
import { handler as usersUpdateProfile } from "./users/update-profile.ts";
import { handler as votesAdd } from "./votes/add.ts";
import { handler as votesRemove } from "./votes/remove.ts";

/** The prefix of every route; part of the base URL (docs/contract.md#versioning). */
export const BASE_PATH = "/api/v1";

/** The contract: the twelve endpoints, in the order of docs/contract.md#endpoints. */
export const contract: readonly Endpoint[] = [
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
];

/** Beyond the contract: what a team needs to use the twelve. */
export const beyond: readonly Endpoint[] = [
  logIn,
  setupStatus,
  emailVerify,
  emailValidate,
  passwordReset,
  passwordValidateToken,
  passwordSet,
  usersPermissions,
  usersProfile,
  usersUpdateProfile,
  usersList,
  usersUpdate,
  settingsSite,
  settingsUpdate,
  boardsByUrl,
  boardsBrowse,
  boardsSearch,
  boardsCreate,
  boardsUpdate,
  boardsDelete,
  boardsCheckSlug,
  roadmapsCreate,
  roadmapsUpdate,
  roadmapsDelete,
  roadmapsSort,
  postsUpdate,
  postsVotes,
];

/** The endpoint table. Stack, local server and tests are made from it: an endpoint is registered here and nowhere else. */
export const endpoints: readonly Endpoint[] = [...contract, ...beyond];
