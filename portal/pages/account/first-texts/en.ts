// Texts of the set-up, of an invitation and of a new password, in English; rules as in portal/texts/.

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
  setAndEnter: "Set the password and sign in",
  invitedIn: "You are signed in. Vote for what you need, or post it.",
  passwordSet: "Your new password is set. Please sign in.",
};

export type FirstTexts = typeof en;
