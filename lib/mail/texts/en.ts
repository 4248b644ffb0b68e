/** The mails. */
// Every text of the mails in English. A language is one file more, with the same keys. `{x}` stands for a value.

export const en = {
  welcome: "Welcome to {site}",
  welcomeText: "Your account at {site} is ready. One thing is left: sign in and confirm that this address is yours.",
  verify: "Confirm your e-mail address",
  verifyText: "Please sign in and confirm that this address is yours.",
  confirm: "Confirm the address",
  confirmEnd: "The link is good for two hours and works once. If it was not you who signed up, do nothing.",

  reset: "Set a new password",
  resetText: "A new password was requested for your account at {site}. If it was you, set it here.",
  resetEnd:
    "The link is good for two hours and works once. If it was not you, do nothing: your password stays as it is.",

  invitation: "You are invited to {site}",
  invitationText:
    "The team of {site} has an account for you: with it you can post, vote and comment. Set your password here.",
  invitationEnd: "The link is good for a week and works once. If you do not want the account, do nothing.",
  acceptInvitation: "Set my password",
  invitationByMailText:
    "The team of {site} has an account for you: with it you can post, vote and comment. You sign in by a link that is mailed to this address.",
  invitationByMailEnd: "Ask for the link whenever you want to sign in. If you do not want the account, do nothing.",

  newAddress: "Confirm your new e-mail address",
  newAddressText: "Please sign in and confirm that this is your new address at {site}. Until then the old one counts.",
  newAddressEnd: "The link is good for two hours and works once. If it was not you who asked for this, do nothing.",

  addressAsked: "Another e-mail address was asked for",
  addressAskedText: "Your account at {site} gets another e-mail address as soon as that one is confirmed.",
  addressAskedEnd: 'If it was not you, set a new password by "forgot password" now: then this address stays.',

  addressChanged: "Your e-mail address has changed",
  addressChangedText: "Your account at {site} has another e-mail address now. No more mails come to this one.",
  addressChangedEnd: "If it was not you, write to the team of {site}.",

  newKey: "A new API key",
  newKeyText: "A new API key was made for your account at {site}. A program that has it can act as you.",
  newKeyEnd: 'If it was not you, set a new password by "forgot password": that ends all sessions and all API keys.',

  signIn: "Sign in",
  signInSubject: "Sign in to {site}",
  signInText: "Open the link, here or on another device, and you are signed in to {site}.",
  orCode: "Or type this code where you asked for it",
  signInEnd:
    "Both are good for 15 minutes, and one of them works once. They were asked for on {time}, with {browser}. If it was not you, do nothing, and give the code to nobody.",
  unknownBrowser: "an unknown browser",

  signedIn: "You signed in from elsewhere",
  signedInText:
    "A link or code that we mailed to you has signed somebody in to {site}, on {time}, with {browser}. Another browser or another network had asked for it.",
  signedInEnd: "If it was you, all is well. If not, set a new password: that ends all sessions and all API keys.",
  signInLinked: "A sign-in was linked to your account",
  signInLinkedText:
    "On {time} a sign-in was linked to your account at {site}: {provider}. From now on it opens your account, too.",
  signInLinkedEnd:
    "If it was not you, set a new password: that ends all linked sign-ins, all sessions and all API keys.",
  ownProduct: "a link in the product",
  twoFactorOn: "Two-step sign-in is on",
  twoFactorOnText: "From now on, a sign-in to your account at {site} also asks for a code of your app.",
  twoFactorOff: "Two-step sign-in is off",
  twoFactorOffText:
    "A sign-in to your account at {site} asks for no code any more. You or the owner of the site have switched that off.",
  recoveryUsed: "A recovery code was used",
  recoveryUsedText: "A recovery code has signed somebody in to your account at {site}. It does not work again.",
  recoveryRenewed: "New recovery codes",
  recoveryRenewedText: "Your account at {site} has ten new recovery codes. The ones before do not work any more.",
  twoFactorEnd:
    "If it was not you, set a new password now: that ends all sessions and all API keys. Then tell the team of the site.",

  webhookDisabled: "A webhook is switched off",
  webhookDisabledText:
    "A webhook of {site} is switched off: its receiver took no message for three days, or is gone for good.",
  openWebhooks: "Open the webhooks",
  webhookDisabledEnd: "Switch it on again once the receiver works: the messages that wait are sent then.",

  statusSubject: "{status}: {title}",
  statusText: "The status of “{title}” is now {status}.",
  responseSubject: "A response to {title}",
  responseText: "The team has responded to “{title}”.",
  commentSubject: "A comment on {title}",
  commentText: "{name} commented on “{title}”.",
  replySubject: "A reply on {title}",
  replyText: "{name} replied to your comment on “{title}”.",
  restSubject: "More comments on {title}",
  restText: "More comments came on “{title}” after the last mail.",
  openPost: "Open the post",
  whyPost: "You get this mail because you follow this post: you wrote it, voted for it or chose to follow it.",
  whyReply: "You get this mail because you wrote the comment.",
  leavePost: "No more mails about this post",
  leaveAll: "No more mails about posts",

  newPostSubject: "A new post: {title}",
  newPostsSubject: "New posts: {title} and others",
  newPostsText: "People have written to {site}:",
  newPostsMore: "There are more on the page of the posts.",
  openPosts: "Open the posts",
  whyNewPosts: "You get this mail because you are of the team and chose mails about new posts, or are the owner.",
  leaveNewPosts: "No more mails about new posts",
};

export type Texts = Record<keyof typeof en, string>;

/** The page behind the link that ends mails. Its functions send none, so that their bundles have these texts alone. */
export const enPage = {
  unsubscribe: "Unsubscribe",
  askNewPosts: "You get mails of {site} about new posts. Press the button, and these end.",
  endedNewPosts: "No mails of {site} about new posts come any more. Your profile is where you choose them again.",
  quoted: "“{title}”",
  thePost: "the post of that mail",
  askPost: "You get mails of {site} about {post}. Press the button, and these end.",
  askAll: "You get mails of {site} about posts. Press the button, and all of them end.",
  unsubscribed: "You are unsubscribed",
  endedPost: "No mails of {site} about {post} come any more. You can follow it again at any time.",
  endedAll: "No mails of {site} about posts come any more. Your profile is where you choose them again.",
  linkBroken: "This link is not complete",
  linkBrokenText:
    "Nothing has changed. Some mail programs cut or change long links: open the whole link of the mail, or sign in at {site} and choose your mails in your profile.",
};

export type PageTexts = Record<keyof typeof enPage, string>;
