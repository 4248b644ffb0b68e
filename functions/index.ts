import type { Endpoint } from "../lib/endpoint.ts";
import type { Group } from "../lib/group.ts";
import { handler as auditList } from "./audit/list.ts";
import { handler as authEmailValidate } from "./auth/email-validate.ts";
import { handler as authEmailVerify } from "./auth/email-verify.ts";
import { handler as authLogIn } from "./auth/log-in.ts";
import { handler as authLogOut } from "./auth/log-out.ts";
import { handler as authMagic } from "./auth/magic.ts";
import { handler as authMagicVerify } from "./auth/magic-verify.ts";
import { handler as authOidc } from "./auth/oidc.ts";
import { handler as authOidcLink } from "./auth/oidc-link.ts";
import { handler as authPasswordReset } from "./auth/password-reset.ts";
import { handler as authPasswordSet } from "./auth/password-set.ts";
import { handler as authPasswordValidateToken } from "./auth/password-validate-token.ts";
import { handler as authProviders } from "./auth/providers.ts";
import { handler as authSetUp } from "./auth/set-up.ts";
import { handler as authSetupStatus } from "./auth/setup-status.ts";
import { handler as authSignUp } from "./auth/sign-up.ts";
import { handler as authSso } from "./auth/sso.ts";
import { handler as authSsoLink } from "./auth/sso-link.ts";
import { handler as authTwoFactor } from "./auth/two-factor.ts";
import { handler as authTwoFactorEnrol } from "./auth/two-factor-enrol.ts";
import { handler as boardsBrowse } from "./boards/browse.ts";
import { handler as boardsByUrl } from "./boards/by-url.ts";
import { handler as boardsCheckSlug } from "./boards/check-slug.ts";
import { handler as boardsCreate } from "./boards/create.ts";
import { handler as boardsDelete } from "./boards/delete.ts";
import { handler as boardsList } from "./boards/list.ts";
import { handler as boardsSearch } from "./boards/search.ts";
import { handler as boardsSort } from "./boards/sort.ts";
import { handler as boardsUpdate } from "./boards/update.ts";
import { handler as commentsById } from "./comments/by-id.ts";
import { handler as commentsCreate } from "./comments/create.ts";
import { handler as commentsDelete } from "./comments/delete.ts";
import { handler as commentsList } from "./comments/list.ts";
import { handler as commentsReport } from "./comments/report.ts";
import { handler as commentsUpdate } from "./comments/update.ts";
import { handler as eventsList } from "./events/list.ts";
import { handler as exportsCreate } from "./exports/create.ts";
import { handler as exportsFile } from "./exports/file.ts";
import { handler as exportsLatest } from "./exports/latest.ts";
import { handler as importsList } from "./imports/list.ts";
import { handler as keysCreate } from "./keys/create.ts";
import { handler as keysDelete } from "./keys/delete.ts";
import { handler as keysList } from "./keys/list.ts";
import { handler as moderationDecide } from "./moderation/decide.ts";
import { handler as moderationList } from "./moderation/list.ts";
import { handler as postsById } from "./posts/by-id.ts";
import { handler as postsBySlug } from "./posts/by-slug.ts";
import { handler as postsCreate } from "./posts/create.ts";
import { handler as postsDelete } from "./posts/delete.ts";
import { handler as postsFollow } from "./posts/follow.ts";
import { handler as postsList } from "./posts/list.ts";
import { handler as postsMerge } from "./posts/merge.ts";
import { handler as postsMerged } from "./posts/merged.ts";
import { handler as postsReport } from "./posts/report.ts";
import { handler as postsSearch } from "./posts/search.ts";
import { handler as postsSetStatus } from "./posts/set-status.ts";
import { handler as postsSetTags } from "./posts/set-tags.ts";
import { handler as postsSimilar } from "./posts/similar.ts";
import { handler as postsStatusChanges } from "./posts/status-changes.ts";
import { handler as postsSubscription } from "./posts/subscription.ts";
import { handler as postsUnmerge } from "./posts/unmerge.ts";
import { handler as postsUpdate } from "./posts/update.ts";
import { handler as postsVotes } from "./posts/votes.ts";
import { handler as postsWaiting } from "./posts/waiting.ts";
import { handler as providersCreate } from "./providers/create.ts";
import { handler as providersDelete } from "./providers/delete.ts";
import { handler as providersList } from "./providers/list.ts";
import { handler as providersTest } from "./providers/test.ts";
import { handler as providersUpdate } from "./providers/update.ts";
import { handler as roadmapsBrowse } from "./roadmaps/browse.ts";
import { handler as roadmapsByUrl } from "./roadmaps/by-url.ts";
import { handler as roadmapsCreate } from "./roadmaps/create.ts";
import { handler as roadmapsDelete } from "./roadmaps/delete.ts";
import { handler as roadmapsList } from "./roadmaps/list.ts";
import { handler as roadmapsSearch } from "./roadmaps/search.ts";
import { handler as roadmapsSort } from "./roadmaps/sort.ts";
import { handler as roadmapsUpdate } from "./roadmaps/update.ts";
import { handler as settingsLabs } from "./settings/labs.ts";
import { handler as settingsModeration } from "./settings/moderation.ts";
import { handler as settingsSite } from "./settings/site.ts";
import { handler as settingsUpdate } from "./settings/update.ts";
import { handler as settingsUpdateLabs } from "./settings/update-labs.ts";
import { handler as settingsUpdateModeration } from "./settings/update-moderation.ts";
import { handler as ssoDelete } from "./sso/delete.ts";
import { handler as ssoRotate } from "./sso/rotate.ts";
import { handler as ssoShow } from "./sso/show.ts";
import { handler as ssoUpdate } from "./sso/update.ts";
import { handler as statsShow } from "./stats/show.ts";
import { handler as statusesDelete } from "./statuses/delete.ts";
import { handler as statusesList } from "./statuses/list.ts";
import { handler as statusesReplace } from "./statuses/replace.ts";
import { handler as tagsCreate } from "./tags/create.ts";
import { handler as tagsDelete } from "./tags/delete.ts";
import { handler as tagsList } from "./tags/list.ts";
import { handler as tagsUpdate } from "./tags/update.ts";
import { handler as usersChangeEmail } from "./users/change-email.ts";
import { handler as usersChangePassword } from "./users/change-password.ts";
import { handler as usersCreate } from "./users/create.ts";
import { handler as usersDashboard } from "./users/dashboard.ts";
import { handler as usersDelete } from "./users/delete.ts";
import { handler as usersDeleteProfile } from "./users/delete-profile.ts";
import { handler as usersEndTwoFactor } from "./users/end-two-factor.ts";
import { handler as usersExport } from "./users/export.ts";
import { handler as usersFollows } from "./users/follows.ts";
import { handler as usersHeld } from "./users/held.ts";
import { handler as usersIdentities } from "./users/identities.ts";
import { handler as usersInvite } from "./users/invite.ts";
import { handler as usersList } from "./users/list.ts";
import { handler as usersNotifications } from "./users/notifications.ts";
import { handler as usersPermissions } from "./users/permissions.ts";
import { handler as usersPosts } from "./users/posts.ts";
import { handler as usersPostsOf } from "./users/posts-of.ts";
import { handler as usersProfile } from "./users/profile.ts";
import { handler as usersRecoveryCodes } from "./users/recovery-codes.ts";
import { handler as usersRenewRecoveryCodes } from "./users/renew-recovery-codes.ts";
import { handler as usersResetTwoFactor } from "./users/reset-two-factor.ts";
import { handler as usersTwoFactor } from "./users/two-factor.ts";
import { handler as usersUnlink } from "./users/unlink.ts";
import { handler as usersUnsubscribe } from "./users/unsubscribe.ts";
import { handler as usersUnsubscription } from "./users/unsubscription.ts";
import { handler as usersUpdate } from "./users/update.ts";
import { handler as usersUpdateNotifications } from "./users/update-notifications.ts";
import { handler as usersUpdateProfile } from "./users/update-profile.ts";
import { handler as usersVotes } from "./users/votes.ts";
import { handler as usersWithdraw } from "./users/withdraw.ts";
import { handler as votesAdd } from "./votes/add.ts";
import { handler as votesAssign } from "./votes/assign.ts";
import { handler as votesRemove } from "./votes/remove.ts";
import { handler as votesUnassign } from "./votes/unassign.ts";
import { handler as webhooksCreate } from "./webhooks/create.ts";
import { handler as webhooksDelete } from "./webhooks/delete.ts";
import { handler as webhooksDeliveries } from "./webhooks/deliveries.ts";
import { handler as webhooksList } from "./webhooks/list.ts";
import { handler as webhooksReplay } from "./webhooks/replay.ts";
import { handler as webhooksRotate } from "./webhooks/rotate.ts";
import { handler as webhooksTest } from "./webhooks/test.ts";
import { handler as webhooksUpdate } from "./webhooks/update.ts";

/**
 * The endpoints that have a function of their own: the endpoints of docs/contract.md, the endpoints that read or write
 * credentials, and the ways to sign in, whose calls a network counts.
 */
const alone: readonly Endpoint[] = [
  authSignUp,
  authSetUp,
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
  authLogIn,
  authLogOut,
  authMagic,
  authMagicVerify,
  authTwoFactor,
  authTwoFactorEnrol,
  authProviders,
  authOidc,
  authSso,
  authEmailValidate,
  authPasswordReset,
  authPasswordValidateToken,
  authPasswordSet,
  usersChangePassword,
  usersUnsubscribe,
  usersUnsubscription,
];

const shared: Record<string, readonly Endpoint[]> = {
  users: [
    usersPermissions,
    usersDashboard,
    usersProfile,
    usersPosts,
    usersPostsOf,
    usersVotes,
    usersUpdateProfile,
    usersChangeEmail,
    usersNotifications,
    usersUpdateNotifications,
    usersList,
    authEmailVerify,
  ],
  "users-write": [usersCreate, usersInvite, usersUpdate],
  // It reads the notes of a caller who may see notes.
  export: [usersExport],
  // The only function behind the API that may read files of exports.
  "site-exports": [exportsCreate, exportsLatest, exportsFile, importsList],
  // The only functions behind the API that may delete accounts.
  erasure: [usersDeleteProfile, usersDelete],
  // Beside signing in, the only functions that may touch second factors.
  "second-factor": [
    usersTwoFactor,
    usersEndTwoFactor,
    usersResetTwoFactor,
    usersRecoveryCodes,
    usersRenewRecoveryCodes,
  ],
  keys: [keysCreate, keysList, keysDelete],
  // They read what happened.
  events: [eventsList, auditList, statsShow],
  "settings-read": [settingsSite, settingsLabs, authSetupStatus, statusesList],
  "settings-write": [settingsUpdate, settingsUpdateLabs, settingsUpdateModeration, statusesReplace, statusesDelete],
  "boards-read": [boardsByUrl, boardsBrowse, boardsSearch, roadmapsBrowse, tagsList],
  "boards-write": [
    boardsCreate,
    boardsUpdate,
    boardsDelete,
    boardsSort,
    boardsCheckSlug,
    tagsCreate,
    tagsUpdate,
    tagsDelete,
  ],
  "roadmaps-write": [roadmapsCreate, roadmapsUpdate, roadmapsDelete, roadmapsSort],
  "posts-read": [postsById, postsVotes, postsWaiting, postsStatusChanges, postsMerged],
  "posts-write": [postsUpdate, postsSetStatus, postsSetTags, postsMerge, postsUnmerge, votesAssign, votesUnassign],
  // The only function behind the API that may decide what is held.
  moderation: [moderationList, moderationDecide, settingsModeration],
  // People report posts and comments, and see and withdraw their own ones that wait for the team.
  reports: [postsReport, commentsReport, usersHeld, usersWithdraw],
  subscriptions: [postsSubscription, postsFollow, usersFollows],
  search: [postsSimilar, postsSearch],
  // Beside the writers and the export, the only function behind the API that may read notes.
  "comments-read": [commentsById, commentsList],
  "comments-write": [commentsCreate, commentsUpdate, commentsDelete],
  // Beside auth-sso, the only function that may read the secret that signs tokens of the product.
  identities: [usersIdentities, usersUnlink, authSsoLink],
  providers: [providersList, providersCreate, providersUpdate, providersDelete],
  sso: [ssoShow, ssoRotate, ssoUpdate, ssoDelete],
  // Beside auth-oidc, the only function that may read the secrets of providers.
  "provider-sign-ins": [providersTest, authOidcLink],
  webhooks: [
    webhooksList,
    webhooksCreate,
    webhooksUpdate,
    webhooksDelete,
    webhooksRotate,
    webhooksTest,
    webhooksDeliveries,
    webhooksReplay,
  ],
};

export const groups: readonly Group[] = [
  ...alone.map((endpoint) => ({ name: endpoint.definition.name, endpoints: [endpoint] })),
  ...Object.entries(shared).map(([name, endpoints]) => ({ name, endpoints })),
];

/** All endpoints: the local server, the OpenAPI document and tests are made from them. */
export const endpoints: readonly Endpoint[] = groups.flatMap((group) => group.endpoints);
