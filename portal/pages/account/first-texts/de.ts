import type { FirstTexts } from "./en.ts";

export const de: FirstTexts = {
  setUp: "Website einrichten",
  welcome: "Willkommen! Hier sagen dir Leute bald, was sie brauchen, und stimmen über die Ideen der anderen ab.",
  siteTitleHint: "Er steht oben auf jeder Seite. Du kannst ihn später ändern.",
  setupCode: "Einrichtungscode",
  setupCodeHint: "Du hast ihn von denen, die diesen Dienst betreiben.",
  asksSetupCode: "Diese Website fragt nach ihrem Einrichtungscode.",
  wrongSetupCode: "Das ist nicht der Einrichtungscode.",
  next: "Wie es weitergeht",
  nextOwner: "Du bist als Inhaber angemeldet.",
  nextMail: "Eine E-Mail bittet dich, deine E-Mail-Adresse zu bestätigen.",
  nextSteps: "Eine kurze Liste zeigt dir die ersten Schritte.",
  SETUP_COMPLETED: "Diese Website ist schon eingerichtet.",
  invitedTo: "Willkommen bei {title}",
  invitedBy:
    "Der Inhaber dieser Website hat dich eingeladen. Mit deinem Konto kannst du Beiträge schreiben, abstimmen und kommentieren. Wähle ein Passwort dafür.",
  invitedToTeam:
    "Der Inhaber dieser Website hat dich ins Team eingeladen: Als Moderator antwortest du auf Beiträge, gibst frei, was wartet, und liest die Notizen des Teams. Wähle ein Passwort für dein Konto.",
  setAndEnter: "Passwort festlegen und anmelden",
  invitedIn: "Du bist angemeldet.",
  passwordSet: "Dein neues Passwort ist festgelegt. Bitte melde dich an.",
  passwordSetIn: "Dein neues Passwort ist festgelegt. Du bist angemeldet.",

  // The ways in.
  signUpClosed: "Neue Konten sind hier nicht erlaubt.",
  newPassword: "Neues Passwort",
  nameHint: "Steht neben deinen Beiträgen und Kommentaren.",
  howSeen: "Wie sollen andere dich sehen?",
  shownAs: "Solange du nichts änderst, sehen dich andere als {name}.",
  later: "Später",
  mailSignsUp: "Neu hier? Der Link legt auch dein Konto an.",
  withPassword: "Mit Passwort anmelden",
  signUpWithPassword: "Konto mit Passwort erstellen",
  mailSent:
    "Wir haben eine E-Mail an {email} geschickt, falls man sich damit hier anmelden kann. Öffne den Link in diesem Browser oder gib den Code ein.",
  codeHint: "Acht Buchstaben und Ziffern, 15 Minuten lang gültig.",
  codeElsewhere:
    "Wenn der Link in einem anderen Browser geöffnet wurde, bist du dort angemeldet und der Code ist verbraucht. Um hier zu beenden, was du begonnen hast, fordere eine neue E-Mail an.",
  anotherMail: "Neue E-Mail senden",
  linkAsks: "Drücke die Schaltfläche, um dich bei {title} anzumelden.",
  then_vote: "Dann wird deine Stimme für „{title}“ abgegeben.",
  then_follow: "Dann folgst du „{title}“.",
  then_comment: "Dann wird dein Kommentar zu „{title}“ gesendet.",
  then_post: "Dann wird dein Beitrag „{title}“ gesendet.",
  then_report: "Dann kannst du „{title}“ melden.",
  askedElsewhere:
    "Hast du diese E-Mail in einem anderen Browser angefordert? Um dort zu beenden, was du begonnen hast, drücke die Schaltfläche nicht, sondern gib dort den Code aus der E-Mail ein.",
  thenPost_vote: "Danach öffnet sich der Beitrag. Deine Stimme ist noch nicht abgegeben: Gib sie dort ab.",
  thenPost_follow: "Danach öffnet sich der Beitrag. Noch folgst du ihm nicht: Drücke dort „Folgen“.",
  wanted_vote:
    "Du wolltest hierfür stimmen. Deine Stimme ist noch nicht abgegeben: Drücke die Schaltfläche zum Abstimmen.",
  wanted_follow: "Du wolltest diesem Beitrag folgen. Noch folgst du ihm nicht: Drücke „Folgen“.",
  wanted_comment: "Du wolltest dies kommentieren. Was du getippt hast, steht noch dort, wo du es getippt hast.",
  continueAs: "Weiter als {name}",
  productHasAccount:
    "Mit deiner E-Mail-Adresse gibt es hier schon ein Konto. Melde dich wie bisher an und verknüpfe es dann.",
  productAsksToLink:
    "Dieses Konto hat deine E-Mail-Adresse. Verknüpfe es, dann meldet dich der Link in unserem Produkt künftig an.",
  linkProduct: "Dieses Konto verknüpfen",
  haveAccount: "Ich habe ein Konto",
  signUpGives: "Mit einem Konto kannst du abstimmen, Beiträge schreiben und kommentieren.",
  signUpTo_vote: "Erstelle ein Konto, um für „{title}“ zu stimmen.",
  signUpTo_follow: "Erstelle ein Konto, um „{title}“ zu folgen.",
  signUpTo_comment: "Erstelle ein Konto, um „{title}“ zu kommentieren.",
  signUpTo_post: "Erstelle ein Konto, um „{title}“ zu veröffentlichen.",
  signUpTo_report: "Erstelle ein Konto, um „{title}“ zu melden.",
  providerNo: "Der Anbieter hat dich nicht angemeldet.",
  isItYours: "Ist es deins?",
  signedUp: "Willkommen! Wir haben dir einen Link geschickt, mit dem du deine E-Mail-Adresse bestätigst.",
  resetSent: "Wenn es ein Konto mit dieser E-Mail-Adresse gibt, ist ein Link unterwegs.",
  confirmSignedOut: "Melde dich an, um deine E-Mail-Adresse zu bestätigen.",
  isConfirmed: "Deine E-Mail-Adresse ist bestätigt",
  confirmedIs: "Deine E-Mail-Adresse ist {email} und ist bestätigt.",
  linkIsOver: "Dieser Link gilt nicht mehr.",
  PROVIDER_REFUSED: "Der Anbieter hat die Anmeldung nicht bestätigt. Bitte versuche es noch einmal.",
  onlyDomains: "Neue Konten brauchen eine E-Mail-Adresse von {domains}.",
  passwordHint: "Mindestens 8 Zeichen.",

  // The end of an account.
  ends: "Sofort und endgültig gelöscht werden: dein Zugang, deine E-Mail-Adresse und dein Name, deine API-Schlüssel und verknüpfte Anmeldungen. Mit derselben E-Mail-Adresse kannst du dich neu registrieren, als neue Person.",
  stay: "Deine Beiträge und Kommentare bleiben, unter „Gelöschtes Konto“. Wenn einige verschwinden sollen, lösche sie vorher unter „Meine Beiträge“.",
  votesStay: "Deine Stimmen zählen weiter, ohne deinen Namen.",
  copies:
    "Sicherungen behalten das Konto 35 Tage. Protokolle nennen es 30 Tage lang mit einer Nummer, ohne Namen und E-Mail-Adresse, das Änderungsprotokoll des Teams 400 Tage lang.",
  withdraw: "Auch meine Stimmen zurücknehmen",
  forGood: "Mein Konto endgültig löschen",
  gone: "Dein Konto ist gelöscht. Die letzte Sicherung, die es enthält, wird am {date} gelöscht.",

  // The download of one’s data.
  myComments: "Meine Kommentare",
  followedPosts: "Beiträge, denen ich folge oder nicht mehr folge",
  ownReports: "Was du gemeldet hast",
  data_userId: "Nummer des Kontos",
  data_username: "Eindeutiger Name",
  data_avatar: "Bild",
  data_newEmail: "Neue E-Mail-Adresse, noch nicht bestätigt",
  data_role: "Rolle",
  data_createdAt: "Konto erstellt",
  data_keys: "API-Schlüssel",
  othersTitles: "Von Beiträgen anderer findest du nur die Adresse: Ihre Titel gehören nicht zu deinen Daten.",
  downloadWaits: "Der Download geht in {n} s weiter.",

  // A sign-in from the owner’s product.
  SSO_REFUSED: "Dieser Link wurde schon benutzt oder ist abgelaufen. Gehe zurück in unser Produkt und öffne ihn neu.",
  SIGN_IN_TO_LINK:
    "Mit deiner E-Mail-Adresse gibt es hier schon ein Konto. Melde dich wie bisher an und verknüpfe diese Anmeldung im Profil.",
};
