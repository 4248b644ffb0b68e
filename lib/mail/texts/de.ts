import type { PageTexts, Texts } from "./en.ts";

export const de: Texts = {
  welcome: "Willkommen bei {site}",
  welcomeText: "Dein Konto bei {site} ist bereit. Melde dich noch an und bestätige, dass diese Adresse dir gehört.",
  verify: "Bestätige deine E-Mail-Adresse",
  verifyText: "Bitte melde dich an und bestätige, dass diese Adresse dir gehört.",
  confirm: "Adresse bestätigen",
  confirmEnd:
    "Der Link gilt zwei Stunden und nur einmal. Wenn du dich nicht registriert hast, brauchst du nichts zu tun.",

  reset: "Setze ein neues Passwort",
  resetText: "Für dein Konto bei {site} wurde ein neues Passwort angefordert. Wenn du das warst, setze es hier.",
  resetEnd:
    "Der Link gilt zwei Stunden und nur einmal. Wenn du das nicht warst, tu nichts: Dein Passwort bleibt, wie es ist.",

  invitation: "Du bist zu {site} eingeladen",
  invitationText:
    "Das Team von {site} hat ein Konto für dich: Damit kannst du Beiträge schreiben, abstimmen und kommentieren. Setze hier dein Passwort.",
  invitationEnd: "Der Link gilt eine Woche und nur einmal. Wenn du das Konto nicht willst, tu nichts.",
  acceptInvitation: "Mein Passwort setzen",
  invitationByMailText:
    "Das Team von {site} hat ein Konto für dich: Damit kannst du Beiträge schreiben, abstimmen und kommentieren. Du meldest dich mit einem Link an, der an diese Adresse kommt.",
  invitationByMailEnd:
    "Fordere den Link an, wann immer du dich anmelden willst. Wenn du das Konto nicht willst, tu nichts.",

  newAddress: "Bestätige deine neue E-Mail-Adresse",
  newAddressText:
    "Bitte melde dich an und bestätige, dass das deine neue Adresse bei {site} ist. Bis dahin gilt die alte.",
  newAddressEnd: "Der Link gilt zwei Stunden und einmal. Wenn du das nicht wolltest, tu nichts.",

  addressAsked: "Eine andere E-Mail-Adresse wurde angegeben",
  addressAskedText: "Dein Konto bei {site} bekommt eine andere E-Mail-Adresse, sobald diese bestätigt ist.",
  addressAskedEnd:
    "Wenn du das nicht warst, setze jetzt unter „Passwort vergessen“ ein neues Passwort: Dann bleibt es bei dieser Adresse.",

  addressChanged: "Deine E-Mail-Adresse hat sich geändert",
  addressChangedText: "Dein Konto bei {site} hat jetzt eine andere E-Mail-Adresse. An diese kommen keine Mails mehr.",
  addressChangedEnd: "Wenn du das nicht warst, schreib dem Team von {site}.",

  newKey: "Ein neuer API-Schlüssel",
  newKeyText:
    "Für dein Konto bei {site} wurde ein API-Schlüssel angelegt. Ein Programm mit ihm handelt in deinem Namen.",
  newKeyEnd:
    "Wenn du das nicht warst, setze mit „Passwort vergessen“ ein neues Passwort: Das beendet alle Sitzungen und Schlüssel.",

  signIn: "Anmelden",
  signInSubject: "Anmelden bei {site}",
  signInText: "Öffne den Link, hier oder auf einem anderen Gerät, und du bist bei {site} angemeldet.",
  orCode: "Oder gib diesen Code dort ein, wo du ihn angefordert hast",
  signInEnd:
    "Beides gilt 15 Minuten, und eines davon einmal. Angefordert am {time} mit {browser}. Wenn du das nicht warst, tu nichts und gib den Code niemandem.",
  unknownBrowser: "einem unbekannten Browser",

  signedIn: "Du hast dich anderswo angemeldet",
  signedInText:
    "Ein Link oder Code aus einer Mail an dich hat am {time} jemanden bei {site} angemeldet, mit {browser}. Angefordert hatte ihn ein anderer Browser oder ein anderes Netz.",
  signedInEnd:
    "Wenn du das warst, ist alles gut. Wenn nicht, setze ein neues Passwort: Das beendet alle Sitzungen und API-Schlüssel.",
  signInLinked: "Mit deinem Konto wurde eine Anmeldung verknüpft",
  signInLinkedText:
    "Am {time} wurde mit deinem Konto bei {site} eine Anmeldung verknüpft: {provider}. Ab jetzt öffnet auch sie dein Konto.",
  signInLinkedEnd:
    "Wenn du es nicht warst, setze ein neues Passwort: Das beendet alle verknüpften Anmeldungen, Sitzungen und API-Schlüssel.",
  ownProduct: "ein Link im Produkt",
  twoFactorOn: "Die Anmeldung in zwei Schritten ist an",
  twoFactorOnText: "Ab jetzt fragt die Anmeldung bei {site} auch nach einem Code aus deiner App.",
  twoFactorOff: "Die Anmeldung in zwei Schritten ist aus",
  twoFactorOffText:
    "Die Anmeldung bei {site} fragt nicht mehr nach einem Code. Du oder der Inhaber der Website habt das abgeschaltet.",
  recoveryUsed: "Ein Ersatzcode wurde benutzt",
  recoveryUsedText:
    "Mit einem Ersatzcode hat sich jemand in deinem Konto bei {site} angemeldet. Er gilt kein zweites Mal.",
  recoveryRenewed: "Neue Ersatzcodes",
  recoveryRenewedText: "Dein Konto bei {site} hat zehn neue Ersatzcodes. Die bisherigen gelten nicht mehr.",
  twoFactorEnd:
    "Wenn du es nicht warst, setze jetzt ein neues Passwort: Das beendet alle Sitzungen und alle API-Schlüssel. Sag es dann dem Team der Website.",

  webhookDisabled: "Ein Webhook ist abgeschaltet",
  webhookDisabledText:
    "Ein Webhook von {site} ist abgeschaltet: Sein Empfänger nahm drei Tage lang keine Nachricht an oder ist weg.",
  openWebhooks: "Webhooks öffnen",
  webhookDisabledEnd: "Schalte ihn wieder ein, sobald der Empfänger läuft: Wartende Nachrichten werden dann gesendet.",

  statusSubject: "{status}: {title}",
  statusText: "Der Status von „{title}“ ist jetzt {status}.",
  responseSubject: "Eine Antwort auf {title}",
  responseText: "Das Team hat auf „{title}“ geantwortet.",
  commentSubject: "Ein Kommentar zu {title}",
  commentText: "{name} hat „{title}“ kommentiert.",
  replySubject: "Eine Antwort bei {title}",
  replyText: "{name} hat auf deinen Kommentar zu „{title}“ geantwortet.",
  restSubject: "Weitere Kommentare zu {title}",
  restText: "Nach der letzten E-Mail kamen weitere Kommentare zu „{title}“.",
  openPost: "Beitrag öffnen",
  whyPost:
    "Du bekommst diese Mail, weil du dem Beitrag folgst: Du hast ihn verfasst, dafür gestimmt oder es so gewählt.",
  whyReply: "Du bekommst diese Mail, weil du den Kommentar geschrieben hast.",
  leavePost: "Keine Mails mehr zu diesem Beitrag",
  leaveAll: "Keine Mails mehr zu Beiträgen",

  newPostSubject: "Ein neuer Beitrag: {title}",
  newPostsSubject: "Neue Beiträge: {title} und andere",
  newPostsText: "Bei {site} wurde geschrieben:",
  newPostsMore: "Weitere stehen auf der Seite der Beiträge.",
  openPosts: "Beiträge öffnen",
  whyNewPosts:
    "Du bekommst diese Mail, weil du zum Team gehörst und es so gewählt hast oder weil dir die Seite gehört.",
  leaveNewPosts: "Keine Mails mehr zu neuen Beiträgen",
};

export const dePage: PageTexts = {
  unsubscribe: "Abmelden",
  askNewPosts: "Du bekommst Mails von {site} zu neuen Beiträgen. Ein Druck auf den Knopf beendet sie.",
  endedNewPosts: "Von {site} kommen keine Mails zu neuen Beiträgen mehr. In deinem Profil kannst du sie wieder wählen.",
  quoted: "„{title}“",
  thePost: "dem Beitrag jener Mail",
  askPost: "Du bekommst Mails von {site} zu {post}. Ein Druck auf den Knopf beendet sie.",
  askAll: "Du bekommst Mails von {site} zu Beiträgen. Ein Druck auf den Knopf beendet alle.",
  unsubscribed: "Du bist abgemeldet",
  endedPost: "Von {site} kommen keine Mails zu {post} mehr. Du kannst dem Beitrag jederzeit wieder folgen.",
  endedAll: "Von {site} kommen keine Mails zu Beiträgen mehr. In deinem Profil kannst du sie wieder wählen.",
  linkBroken: "Dieser Link ist nicht vollständig",
  linkBrokenText:
    "Es hat sich nichts geändert. Manche Mailprogramme kürzen oder ändern lange Links: Öffne den ganzen Link der Mail, oder melde dich bei {site} an und wähle deine Mails im Profil.",
};
