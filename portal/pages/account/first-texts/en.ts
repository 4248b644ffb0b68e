// Texts of the set-up, of an invitation and of the other ways in, in English; rules as in portal/texts/.

export const en = {
  setUp: "Set up your site",
  welcome: "Welcome! Here people will tell you what they need, and vote on each other’s ideas.",
  siteTitleHint: "It appears at the top of every page. You can change it later.",
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
  invitedToTeam:
    "The owner of this site has invited you to the team: as a moderator you answer posts, approve what waits and read the team’s notes. Choose a password for your account.",
  setAndEnter: "Set the password and sign in",
  invitedIn: "You are signed in.",
  passwordSet: "Your new password is set. Please sign in.",
  passwordSetIn: "Your new password is set. You are signed in.",

  // The ways in.
  signUpClosed: "New accounts are not allowed here.",
  newPassword: "New password",
  nameHint: "Shown next to your posts and comments.",
  howSeen: "How should others see you?",
  shownAs: "Until you change it, you are shown as {name}.",
  later: "Later",
  mailSignsUp: "New here? The link also creates your account.",
  withPassword: "Sign in with a password",
  signUpWithPassword: "Create an account with a password",
  mailSent:
    "We have sent an email to {email}, if that address can sign in here. Open the link in this browser, or enter the code.",
  codeHint: "Eight letters and digits, valid for 15 minutes.",
  codeElsewhere:
    "If the link was opened in another browser, it has signed you in there, and the code is used up. To finish here what you began, send another email.",
  anotherMail: "Send another email",
  linkAsks: "Press the button to sign in to {title}.",
  then_vote: "Then your vote for “{title}” is cast.",
  then_follow: "Then you follow “{title}”.",
  then_comment: "Then your comment on “{title}” is sent.",
  then_post: "Then your post “{title}” is sent.",
  then_report: "Then you can report “{title}”.",
  askedElsewhere:
    "Did you ask for this email in another browser? To finish what you began there, do not press the button: type the code of the email there.",
  thenPost_vote: "This takes you to the post. Your vote is not cast yet: cast it there.",
  thenPost_follow: "This takes you to the post. You do not follow it yet: press “Follow” there.",
  wanted_vote: "You wanted to vote for this. Your vote is not cast yet: press the vote button.",
  wanted_follow: "You wanted to follow this. You do not follow it yet: press “Follow”.",
  wanted_comment: "You wanted to comment on this. What you typed is still where you typed it.",
  continueAs: "Continue as {name}",
  productHasAccount: "Your email address already has an account here. Sign in as before, then link it.",
  productAsksToLink:
    "This account has your email address. Link it, and from now on the link in our product signs you in.",
  linkProduct: "Link this account",
  haveAccount: "I have an account",
  signUpGives: "With an account you can vote, post and comment.",
  signUpTo_vote: "Create an account to vote for “{title}”.",
  signUpTo_follow: "Create an account to follow “{title}”.",
  signUpTo_comment: "Create an account to comment on “{title}”.",
  signUpTo_post: "Create an account to publish “{title}”.",
  signUpTo_report: "Create an account to report “{title}”.",
  providerNo: "The provider did not sign you in.",
  isItYours: "Is it yours?",
  signedUp: "Welcome! We have sent you a link to confirm your email address.",
  resetSent: "If there is an account with this email address, a link is on its way.",
  confirmSignedOut: "Sign in to confirm your email address.",
  isConfirmed: "Your email address is confirmed",
  confirmedIs: "Your email address is {email}, and it is confirmed.",
  linkIsOver: "This link is no longer valid.",
  PROVIDER_REFUSED: "The provider did not confirm the sign-in. Please try again.",
  onlyDomains: "New accounts need an email address at {domains}.",
  passwordHint: "At least 8 characters.",

  // The end of an account.
  ends: "These are deleted at once, for good: your sign-in, your email address and name, your API keys and linked sign-ins. You can sign up again with the same email address, as a new person.",
  stay: "Your posts and comments stay, under “Deleted user”. If you want any of them gone, delete them first under “My posts”.",
  votesStay: "Your votes stay counted, without your name.",
  copies:
    "Backups keep the account for 35 days. Logs refer to it by a number, without name or email address, for 30 days, and the team’s audit log for 400 days.",
  withdraw: "Also take back my votes",
  forGood: "Delete my account for good",
  gone: "Your account is deleted. The last backup that contains it is deleted on {date}.",

  // The download of one’s data.
  myComments: "My comments",
  followedPosts: "Posts I follow or stopped following",
  ownReports: "What you reported",
  data_userId: "Account ID",
  data_username: "Unique name",
  data_avatar: "Picture",
  data_newEmail: "New email address, not confirmed yet",
  data_role: "Role",
  data_createdAt: "Account created",
  data_keys: "API key",
  othersTitles: "Of other people’s posts you find the address only: their titles are not your data.",
  downloadWaits: "The download continues in {n} s.",

  // A sign-in from the owner’s product.
  SSO_REFUSED: "This link has already been used or has expired. Go back to our product and open it again.",
  SIGN_IN_TO_LINK:
    "Your email address already has an account here. Sign in as before, then link this sign-in in your profile.",
};

export type FirstTexts = typeof en;
