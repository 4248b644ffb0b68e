import type { AccountTexts } from "./en.ts";

export const de: AccountTexts = {
  // The set-up, an invitation, a new password.
  setUp: "Website einrichten",
  welcome: "Willkommen! Hier sagen dir Leute bald, was sie brauchen, und stimmen über die Ideen der anderen ab.",
  titleHint: "Er steht oben auf jeder Seite. Du kannst ihn später ändern.",
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
  setAndEnter: "Passwort festlegen und anmelden",
  invitedIn: "Du bist angemeldet. Stimme für das, was du brauchst, oder schreibe einen Beitrag.",
  passwordSet: "Dein neues Passwort ist festgelegt. Bitte melde dich an.",

  // The owner's product.
  SSO_NOT_ALLOWED: "Die Anmeldung über unser Produkt ist auf dieser Website ausgeschaltet.",
  SSO_REFUSED: "Dieser Link wurde schon benutzt oder ist abgelaufen. Gehe zurück in unser Produkt und öffne ihn neu.",
  SIGN_IN_TO_LINK:
    "Mit deiner E-Mail-Adresse gibt es hier schon ein Konto. Melde dich wie bisher an und verknüpfe diese Anmeldung im Profil.",
  STAFF_NOT_ALLOWED: "Das Team kann sich so nicht anmelden.",
  continueAs: "Weiter als {name}",
  productHasAccount:
    "Mit deiner E-Mail-Adresse gibt es hier schon ein Konto. Melde dich wie bisher an und verknüpfe es dann.",
  productAsksToLink:
    "Dieses Konto hat deine E-Mail-Adresse. Verknüpfe es, dann meldet dich der Link in unserem Produkt künftig an.",
  linkProduct: "Dieses Konto verknüpfen",

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
  goodbye: "Mein Konto löschen",
  ends: "Sofort und endgültig gelöscht werden: dein Zugang, deine E-Mail-Adresse und dein Name, deine API-Schlüssel und verknüpfte Anmeldungen. Mit derselben E-Mail-Adresse kannst du dich neu registrieren, als neue Person.",
  stay: "Deine Beiträge und Kommentare bleiben, unter „Gelöschtes Konto“. Wenn einige verschwinden sollen, lösche sie vorher unter „Meine Beiträge“.",
  votesStay: "Deine Stimmen zählen weiter, ohne deinen Namen.",
  withdraw: "Auch meine Stimmen zurücknehmen",
  copies:
    "Sicherungen behalten das Konto 35 Tage. Protokolle nennen es 30 Tage lang mit einer Nummer, ohne Namen und E-Mail-Adresse.",
  forGood: "Mein Konto endgültig löschen",
  gone: "Dein Konto ist gelöscht. Die letzte Sicherung, die es enthält, wird am {date} gelöscht.",
};
