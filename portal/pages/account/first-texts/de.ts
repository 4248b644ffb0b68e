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
  setAndEnter: "Passwort festlegen und anmelden",
  invitedIn: "Du bist angemeldet. Stimme für das, was du brauchst, oder schreibe einen Beitrag.",
  passwordSet: "Dein neues Passwort ist festgelegt. Bitte melde dich an.",
};
