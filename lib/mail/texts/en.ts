/** The mails. */
// Every text of the mails in English. A language is one file more, with the same keys. `{x}` stands for a value.

export const en = {
  welcome: "Welcome to {site}",
  welcomeText:
    "Your account at {site} is ready. One step is left: sign in and confirm that this email address is yours.",
  verify: "Confirm your email address",
  verifyText: "Please sign in and confirm that this email address is yours.",
  confirm: "Confirm the email address",
  confirmEnd: "The link works once, within two hours. If it was not you who signed up, do nothing.",

  reset: "Set a new password",
  resetText: "A new password was requested for your account at {site}. If it was you, set it here.",
  resetEnd: "The link works once, within two hours. If it was not you, do nothing: your password stays the same.",

  invitation: "You are invited to {site}",
  invitationText: "{inviter} invites you to {site}: with an account you can post, vote and comment there. {next}",
  invitationTeamText:
    "{inviter} invites you to join the team of {site}: as a moderator you answer posts, approve what waits and read the team’s notes. {next}",
  setPasswordHere: "Set your password here.",
  signInByLink: "You sign in with a link that is sent to this email address.",
  invitationEnd: "The link works once, within a week. If you do not want the account, do nothing.",
  acceptInvitation: "Set my password",
  inviter: "{name}",
  inviterTeam: "The team",
  invitationByMailEnd: "Ask for the link whenever you want to sign in. If you do not want the account, do nothing.",

  newAddress: "Confirm your new email address",
  newAddressText:
    "Please sign in and confirm that this is your new email address at {site}. Until then the old one counts.",
  newAddressEnd: "The link works once, within two hours. If it was not you who asked for this, do nothing.",

  addressAsked: "A change of your email address was requested",
  addressAskedText: "Your account at {site} gets another email address as soon as that one is confirmed.",
  addressAskedEnd:
    "If it was not you, set a new password with “Forgot your password?” now: then this email address stays.",

  addressChanged: "Your email address has changed",
  addressChangedText: "Your account at {site} now has another email address. No more emails come to this one.",
  addressChangedEnd: "If it was not you, write to the team of {site}.",

  newKey: "A new API key",
  newKeyText: "The API key “{keyName}” was created for your account at {site}. A program that has it can act as you.",
  openKeys: "Open the API keys",
  newKeyEnd:
    "If it was not you, set a new password with “Forgot your password?”: that ends all sessions and all API keys.",

  signIn: "Sign in",
  signInSubject: "Sign in to {site}",
  signInText:
    "Open the link and press its button to sign in to {site}. If you wrote something there, use the same browser.",
  orCode: "Or type this code where you asked for it, and continue there",
  signInEnd:
    "Either works once, within 15 minutes. Asked for on {time}, with {browser}. If it was not you, do nothing, and give the code to nobody.",
  unknownBrowser: "an unknown browser",

  signedIn: "You signed in from elsewhere",
  signedInText:
    "A link or code that we sent you by email has signed somebody in to {site}, on {time}, with {browser}. Another browser or another network had asked for it.",
  signedInEnd: "If it was you, all is well. If not, set a new password: that ends all sessions and all API keys.",
  signInLinked: "A sign-in was linked to your account",
  signInLinkedText:
    "On {time} a sign-in was linked to your account at {site}: {provider}. From now on it opens your account, too.",
  signInLinkedEnd:
    "If it was not you, set a new password: that ends all linked sign-ins, all sessions and all API keys.",
  ownProduct: "a link in the product",
  passwordChanged: "Your password was changed",
  passwordChangedText: "On {time} the password of your account at {site} was changed. All other sessions have ended.",
  passwordSet: "Your password was set",
  passwordSetText: "On {time} a password was set for your account at {site}. All other sessions have ended.",
  twoFactorOn: "Two-step sign-in is on",
  twoFactorOnText: "From now on, signing in to your account at {site} also needs a code from your app.",
  twoFactorOff: "Two-step sign-in is off",
  twoFactorOffText:
    "Signing in to your account at {site} no longer needs a code. You or the owner of the site have switched that off.",
  recoveryUsed: "A recovery code was used",
  recoveryUsedText: "A recovery code has signed somebody in to your account at {site}. It does not work again.",
  recoveryRenewed: "New recovery codes",
  recoveryRenewedText: "Your account at {site} has ten new recovery codes. The earlier ones no longer work.",
  twoFactorEnd:
    "If it was not you, set a new password now: that ends all sessions and all API keys. Then tell the team of the site.",

  siteGot: "You are now the owner of {site}",
  siteGotText:
    "{site} was handed over to you on {time}. As the owner you appoint the team, change the settings and can export all of the site.",
  openSite: "Open the site",
  siteGotEnd: "If you did not expect this, write to the team of the site.",
  siteGiven: "You have handed over {site}",
  siteGivenText: "On {time} {site} got another owner. You are a moderator now, and your API keys have ended.",
  siteGivenEnd:
    "If you did not hand the site over, set a new password now, and write to the new owner and to who runs the service.",
  accountDeleted: "Your account is deleted",
  accountDeletedText:
    "Your account at {site} was deleted on {time}. Nobody can sign in with it any more. Your posts and comments stay without your name, and your votes stay counted, unless they were taken back. Logs, counters and backups may still name you; all of that is gone by {until}.",
  accountDeletedEnd:
    "This is the last email to this address. You can sign up again with it, as a new person. If you did not delete the account, write to the team of {site}.",

  exportReady: "Your export is ready",
  exportReadyText:
    "The export of all of {site} is ready. Sign in as the owner and download it within an hour: then it is deleted.",
  openExport: "Download the export",
  exportReadyEnd:
    "It has the addresses of all people. If you did not ask for it, set a new password with “Forgot your password?”: that ends all sessions and all API keys.",

  webhookDisabled: "A webhook is switched off",
  webhookDisabledText:
    "A webhook of {site} is switched off: its receiver accepted no message for three days, or is gone for good.",
  openWebhooks: "Open the webhooks",
  webhookDisabledEnd: "Switch it on again once the receiver works: the messages that wait are then sent.",

  statusSubject: "{status}: {title}",
  statusText: "The status of “{title}” is now {status}.",
  responseSubject: "A response to {title}",
  responseText: "The team has responded to “{title}”.",
  commentSubject: "A comment on {title}",
  commentText: "{name} commented on “{title}”.",
  replySubject: "A reply on {title}",
  replyText: "{name} replied to your comment on “{title}”.",
  restSubject: "More comments on {title}",
  restText: "More comments on “{title}” came after the last email.",
  mergedSubject: "Merged: {title}",
  mergedText:
    "“{title}” and “{into}” ask for the same, so the team has merged them. It goes on in “{into}”, where all votes count now.",
  openPost: "Open the post",
  whyPost: "You get this email because you follow this post: you wrote it, voted for it or chose to follow it.",
  whyReply: "You get this email because you wrote the comment.",
  leavePost: "No more emails about this post",
  leaveAll: "No more emails about posts",

  newPostSubject: "A new post: {title}",
  newPostsSubject: "New posts: {title} and others",
  newPostsText: "There are new posts on {site}:",
  newPostsMore: "There are more in the list of posts.",
  openPosts: "Open the posts",
  whyNewPosts:
    "You get this email because you are on the team and chose emails about new posts, or because you are the owner.",
  leaveNewPosts: "No more emails about new posts",

  digestOneSubject: "Something waits for your decision on {site}",
  digestSubject: "{n} things wait for your decision on {site}",
  digestManySubject: "At least {n} things wait for your decision on {site}",
  digestText: "This came since the last such email, and waits for the team of {site}:",
  digestPost: "New post: {text}",
  digestComment: "New comment: {text}",
  digestReportedPost: "Reported post: {text}",
  digestReportedComment: "Reported comment: {text}",
  digestMore: "There is more on the page.",
  openQueue: "Look at what waits",
  whyDigest: "You get this email, once an hour at most, because you are on the team and chose it.",
  leaveDigest: "No more emails about what waits",
};

export type Texts = Record<keyof typeof en, string>;

/** The page behind the link that ends mails. Its functions send none, so that their bundles have these texts alone. */
export const enPage = {
  unsubscribe: "Unsubscribe",
  askNewPosts: "You get emails from {site} about new posts. Press the button to end them.",
  endedNewPosts: "You will get no more emails from {site} about new posts. You can choose them again in your profile.",
  askDigest: "You get emails from {site} about what waits for the team. Press the button to end them.",
  endedDigest:
    "You will get no more emails from {site} about what waits for the team. You can choose them again in your profile.",
  quoted: "“{title}”",
  thePost: "the post in that email",
  askPost: "You get emails from {site} about {post}. Press the button to end them.",
  askAll: "You get emails from {site} about posts. Press the button to end them all.",
  unsubscribed: "You are unsubscribed",
  endedPost: "You will get no more emails from {site} about {post}. You can follow it again at any time.",
  openPost: "Open the post",
  chooseMails: "Choose your emails",
  endedAll: "You will get no more emails from {site} about posts. You can choose them again in your profile.",
  linkBroken: "This link is not complete",
  linkBrokenText:
    "Nothing has changed. Some email programs cut or change long links: open the whole link from the email, or sign in at {site} and choose your emails in your profile.",
};

export type PageTexts = Record<keyof typeof enPage, string>;
