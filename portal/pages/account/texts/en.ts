// Texts that only the seldom pages of accounts have, in English; rules as in portal/texts/.

export const en = {
  // The set-up, an invitation, a new password.
  setUp: "Set up your site",
  welcome: "Welcome! Here people will tell you what they need, and vote on each other’s ideas.",
  titleHint: "It appears at the top of every page. You can change it later.",
  setupCode: "Setup code",
  setupCodeHint: "You got it from whoever runs this service.",
  asksSetupCode: "This site asks for its setup code.",
  wrongSetupCode: "This is not the setup code.",
  next: "What happens next",
  nextOwner: "You are signed in as the owner.",
  nextMail: "An email asks you to confirm your email address.",
  nextSteps: "A short list of first steps shows you around.",
  SETUP_COMPLETED: "This site is already set up.",
  invitedTo: "Welcome to {title}",
  invitedBy:
    "The owner of this site has invited you. With your account you can post, vote and comment. Choose a password for it.",
  setAndEnter: "Set the password and sign in",
  invitedIn: "You are signed in. Vote for what you need, or post it.",
  passwordSet: "Your new password is set. Please sign in.",

  // The owner's product.
  SSO_NOT_ALLOWED: "Signing in from our product is switched off on this site.",
  SSO_REFUSED: "This link has already been used or has expired. Go back to our product and open it again.",
  SIGN_IN_TO_LINK:
    "Your email address already has an account here. Sign in as before, then link this sign-in in your profile.",
  STAFF_NOT_ALLOWED: "The team cannot sign in this way.",
  continueAs: "Continue as {name}",
  productHasAccount: "Your email address already has an account here. Sign in as before, then link it.",
  productAsksToLink:
    "This account has your email address. Link it, and from now on the link in our product signs you in.",
  linkProduct: "Link this account",

  // The second step of a sign-in.
  twoFactorHint:
    "Signing in will then also need a code from an app on your phone. Your password alone is no longer enough.",
  twoFactorIsOn: "It is switched on.",
  twoFactorOn: "Switch it on",
  twoFactorOff: "Switch it off",
  twoFactorEnded: "Two-step sign-in is switched off.",
  twoFactorMust: "This site requires two-step sign-in of its team. Set it up now.",
  scanCode: "Scan this QR code with an authenticator app, or enter the secret there.",
  qrCode: "QR code of the secret",
  openApp: "Open the app on this device",
  recoveryCodes: "Recovery codes",
  recoveryHint:
    "Keep these codes somewhere you can reach without your phone. Each one replaces the app once, and they are shown only now.",
  codesKept: "I have saved them",
  copy: "Copy",
  copied: "Copied",
  download: "Download",
  codesLeft: "{n} code is left.|{n} codes are left.",
  renewCodes: "Create new codes",
  renewHint: "You get ten new codes. The ones you have now stop working.",
  twoFactorOffHint: "Signing in will no longer ask for a code.",
  beginAgain: "Start again",

  // The end of an account.
  goodbye: "Delete my account",
  ends: "These are deleted at once, for good: your sign-in, your email address and name, your API keys and linked sign-ins. You can sign up again with the same email address, as a new person.",
  stay: "Your posts and comments stay, under “Deleted user”. If you want any of them gone, delete them first under “My posts”.",
  votesStay: "Your votes stay counted, without your name.",
  withdraw: "Also take back my votes",
  copies:
    "Backups keep the account for 35 days. Logs refer to it by a number, without name or email address, for 30 days.",
  forGood: "Delete my account for good",
  gone: "Your account is deleted. The last backup that contains it is deleted on {date}.",
};

export type AccountTexts = typeof en;
