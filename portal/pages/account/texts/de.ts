import type { AccountTexts } from "./en.ts";

export const de: AccountTexts = {
  // Codes of the service.
  TWO_FACTOR_ON: "Die Anmeldung in zwei Schritten ist schon eingeschaltet.",
  IDENTITY_NOT_FOUND: "Diese Verknüpfung gibt es nicht mehr.",
  IDENTITY_TAKEN: "Diese Anmeldung ist schon mit einem anderen Konto verknüpft.",
  TOO_MANY_IDENTITIES: "Du hast schon 5 verknüpfte Anmeldungen. Hebe zuerst eine Verknüpfung auf.",
  LAST_WAY_IN:
    "Anders kannst du dich nicht anmelden. Lege zuerst ein Passwort fest oder bestätige deine E-Mail-Adresse.",
  OTHER_ACCOUNT: "Dieser Link gehört zu einem anderen Konto.",
  SIGNUP_NOT_ALLOWED: "Neue Konten sind hier nicht erlaubt, oder nicht mit dieser E-Mail-Adresse.",
  DOMAIN_BLOCKED: "E-Mail-Adressen dieser Domain sind hier nicht erlaubt. Bitte gib eine andere an.",
  MAGIC_NOT_ALLOWED: "Die Anmeldung per E-Mail ist auf dieser Website ausgeschaltet.",
  TWO_FACTOR_NEEDED: "Bitte gib auch einen Code aus deiner App ein.",
  TWO_FACTOR_REQUIRED:
    "Diese Website verlangt von ihrem Team die Anmeldung in zwei Schritten, also bleibt sie eingeschaltet.",

  // Signing in and up, the profile.
  signOutEverywhere: "Auf allen Geräten abmelden",
  yourName: "Dein Name",
  signingIn: "Du wirst angemeldet …",
  signInOver: "Diese Anmeldung ist abgelaufen. Bitte beginne von vorn.",
  linkedSignIns: "Verknüpfte Anmeldungen",
  noLinkedSignIns: "Noch keine. Verknüpfe eine, um dich damit anzumelden.",
  linkWith: "{name} verknüpfen",
  signInLinked: "Du kannst dich jetzt damit anmelden.",
  unlink: "Verknüpfung aufheben",
  productName: "Der Link in unserem Produkt",
  noAddress: "keine E-Mail-Adresse",
  twoFactor: "Anmeldung in zwei Schritten",
  reset: "Passwort zurücksetzen",
  sendLink: "Link senden",
  confirmed: "Deine E-Mail-Adresse ist bestätigt.",
  unconfirmed: "Deine E-Mail-Adresse ist noch nicht bestätigt.",
  linkOfAnother: "Dieser Link gehört zu einem anderen Konto. Du bist als {email} angemeldet.",
  otherAccount: "Mit dem anderen Konto anmelden",
  passwordByMail: "Passwort per E-Mail festlegen",
  newAddress: "E-Mail-Adresse ändern",
  newAddressHint: "Wir schicken einen Link an die neue Adresse. Sobald du ihn öffnest, gilt sie.",
  addressWaits: "Wir haben einen Link an {email} geschickt. Öffne ihn, um die Änderung abzuschließen.",
  keepAddress: "Bisherige E-Mail-Adresse behalten",
  addressKept: "Deine E-Mail-Adresse bleibt, wie sie ist.",
  mails: "E-Mails zu Beiträgen, denen du folgst",
  mails_status: "Neuer Status oder Antwort des Teams",
  mails_newPosts: "Neue Beiträge",
  mails_digest: "Was auf das Team wartet, höchstens einmal in der Stunde",
  mails_ownPosts: "Kommentare zu meinen Beiträgen",
  mails_comments: "Alle Kommentare",
  mails_replies: "Antworten auf meine Kommentare",
  mailLanguage: "Sprache der E-Mails",
  languageOfSite: "Sprache der Website",
  security: "Sicherheit",
  isOn: "An",
  isOff: "Aus",
  signedOutByButton: "Du bist auf allen Geräten abgemeldet.",
  deleteAccount: "Mein Konto löschen",
  ownData: "Deine Daten",
  downloadData: "Meine Daten herunterladen",
  downloadLines: "Für Programme herunterladen (JSON)",

  // The owner's product.
  SSO_NOT_ALLOWED: "Die Anmeldung über unser Produkt ist auf dieser Website ausgeschaltet.",
  STAFF_NOT_ALLOWED: "Das Team kann sich so nicht anmelden.",

  // The second step of a sign-in.
  twoFactorHint:
    "Die Anmeldung fragt dann auch nach einem Code aus einer App auf deinem Telefon. Dein Passwort allein genügt nicht mehr.",
  twoFactorIsOn: "Sie ist eingeschaltet.",
  twoFactorOn: "Einschalten",
  twoFactorOff: "Ausschalten",
  twoFactorEnded: "Die Anmeldung in zwei Schritten ist ausgeschaltet.",
  twoFactorMust: "Diese Website verlangt von ihrem Team die Anmeldung in zwei Schritten. Richte sie jetzt ein.",
  scanCode: "Scanne diesen QR-Code mit einer Authenticator-App oder gib dort das Secret ein.",
  qrCode: "QR-Code des Secrets",
  openApp: "App auf diesem Gerät öffnen",
  recoveryCodes: "Ersatzcodes",
  recoveryHint:
    "Bewahre diese Codes auf, wo du sie ohne dein Telefon findest. Jeder ersetzt einmal die App, und sie werden nur jetzt gezeigt.",
  codesKept: "Ich habe sie gesichert",
  copy: "Kopieren",
  copied: "Kopiert",
  download: "Herunterladen",
  codesLeft: "{n} Code ist übrig.|{n} Codes sind übrig.",
  renewCodes: "Neue Codes erstellen",
  renewHint: "Du bekommst zehn neue. Die bisherigen gelten dann nicht mehr.",
  twoFactorOffHint: "Die Anmeldung fragt dann nach keinem Code mehr.",
  beginAgain: "Von vorn beginnen",

  // The end of an account.

  // What the person wrote or voted for.
  noOwnPosts: "Noch nichts hier",
  noOwnPostsHint: "Stimme für das, was du brauchst, oder schreibe einen Beitrag.",
  TWO_FACTOR_OFF:
    "Die Anmeldung in zwei Schritten ist für dieses Konto nicht eingeschaltet. Um sie vom Team zu verlangen, schalte zuerst deine eigene ein.",
  HAND_OVER_FIRST: "Mache zuerst eine andere Person zum Inhaber.",
  USER_NOT_FOUND: "Dieses Konto gibt es nicht.",
  heldThings: "Wartet auf das Team",
  withdrawHeld: "Zurückziehen",
  askWithdrawHeld: "Diesen Text zurückziehen? Er wird endgültig gelöscht.",
  heldWithdrawn: "Zurückgezogen.",
  HELD_NOT_FOUND: "Dieser Text wartet nicht mehr auf das Team.",
};
