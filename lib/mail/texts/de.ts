import type { PageTexts, Texts } from "./en.ts";

export const de: Texts = {
  welcome: "Willkommen bei {site}",
  welcomeText:
    "Dein Konto bei {site} ist bereit. Melde dich noch an und bestätige, dass diese E-Mail-Adresse dir gehört.",
  verify: "Bestätige deine E-Mail-Adresse",
  verifyText: "Bitte melde dich an und bestätige, dass diese E-Mail-Adresse dir gehört.",
  confirm: "E-Mail-Adresse bestätigen",
  confirmEnd:
    "Der Link gilt zwei Stunden und nur einmal. Wenn du dich nicht registriert hast, brauchst du nichts zu tun.",

  reset: "Lege ein neues Passwort fest",
  resetText: "Für dein Konto bei {site} wurde ein neues Passwort angefordert. Wenn du das warst, lege es hier fest.",
  resetEnd:
    "Der Link gilt zwei Stunden und nur einmal. Wenn du das nicht warst, brauchst du nichts zu tun: Dein Passwort bleibt, wie es ist.",

  invitation: "Du bist zu {site} eingeladen",
  invitationText:
    "{inviter} lädt dich zu {site} ein: Mit einem Konto kannst du dort Beiträge schreiben, abstimmen und kommentieren. {next}",
  invitationTeamText:
    "{inviter} lädt dich in das Team von {site} ein: Als Moderator antwortest du auf Beiträge, gibst frei, was wartet, und liest die Notizen des Teams. {next}",
  setPasswordHere: "Lege hier dein Passwort fest.",
  signInByLink: "Du meldest dich mit einem Link an, der an diese E-Mail-Adresse kommt.",
  invitationEnd: "Der Link gilt eine Woche und nur einmal. Wenn du das Konto nicht willst, brauchst du nichts zu tun.",
  acceptInvitation: "Mein Passwort festlegen",
  inviter: "{name}",
  inviterTeam: "Das Team",
  invitationByMailEnd:
    "Fordere den Link an, wann immer du dich anmelden willst. Wenn du das Konto nicht willst, brauchst du nichts zu tun.",

  newAddress: "Bestätige deine neue E-Mail-Adresse",
  newAddressText:
    "Bitte melde dich an und bestätige, dass das deine neue E-Mail-Adresse bei {site} ist. Bis dahin gilt die alte.",
  newAddressEnd: "Der Link gilt zwei Stunden und nur einmal. Wenn du das nicht wolltest, brauchst du nichts zu tun.",

  addressAsked: "Eine andere E-Mail-Adresse wurde angegeben",
  addressAskedText: "Dein Konto bei {site} bekommt eine andere E-Mail-Adresse, sobald diese bestätigt ist.",
  addressAskedEnd:
    "Wenn du das nicht warst, lege jetzt unter „Passwort vergessen?“ ein neues Passwort fest: Dann bleibt es bei dieser E-Mail-Adresse.",

  addressChanged: "Deine E-Mail-Adresse hat sich geändert",
  addressChangedText: "Dein Konto bei {site} hat jetzt eine andere E-Mail-Adresse. An diese kommen keine E-Mails mehr.",
  addressChangedEnd: "Wenn du das nicht warst, schreibe dem Team von {site}.",

  newKey: "Ein neuer API-Schlüssel",
  newKeyText:
    "Für dein Konto bei {site} wurde der API-Schlüssel „{keyName}“ angelegt. Ein Programm mit ihm handelt in deinem Namen.",
  openKeys: "API-Schlüssel öffnen",
  newKeyEnd:
    "Wenn du das nicht warst, lege unter „Passwort vergessen?“ ein neues Passwort fest: Das beendet alle Sitzungen und API-Schlüssel.",

  signIn: "Anmelden",
  signInSubject: "Anmelden bei {site}",
  signInText:
    "Öffne den Link und drücke den Knopf: Das meldet dich bei {site} an. Hast du dort etwas geschrieben, öffne ihn im selben Browser.",
  orCode: "Oder gib diesen Code dort ein, wo du ihn angefordert hast, und mache dort weiter",
  signInEnd:
    "Eines davon gilt, einmal und 15 Minuten lang. Angefordert am {time} mit {browser}. Wenn du das nicht warst, tue nichts und gib den Code niemandem.",
  unknownBrowser: "einem unbekannten Browser",

  signedIn: "Du hast dich anderswo angemeldet",
  signedInText:
    "Ein Link oder Code aus einer E-Mail an dich hat am {time} jemanden bei {site} angemeldet, mit {browser}. Angefordert hatte ihn ein anderer Browser oder ein anderes Netz.",
  signedInEnd:
    "Wenn du das warst, ist alles gut. Wenn nicht, lege ein neues Passwort fest: Das beendet alle Sitzungen und API-Schlüssel.",
  signInLinked: "Mit deinem Konto wurde eine Anmeldung verknüpft",
  signInLinkedText:
    "Am {time} wurde mit deinem Konto bei {site} eine Anmeldung verknüpft: {provider}. Ab jetzt öffnet auch sie dein Konto.",
  signInLinkedEnd:
    "Wenn du das nicht warst, lege ein neues Passwort fest: Das beendet alle verknüpften Anmeldungen, Sitzungen und API-Schlüssel.",
  ownProduct: "ein Link im Produkt",
  passwordChanged: "Dein Passwort wurde geändert",
  passwordChangedText:
    "Am {time} wurde das Passwort deines Kontos bei {site} geändert. Die anderen Sitzungen sind beendet.",
  passwordSet: "Dein Passwort wurde festgelegt",
  passwordSetText:
    "Am {time} wurde für dein Konto bei {site} ein Passwort festgelegt. Die anderen Sitzungen sind beendet.",
  twoFactorOn: "Die Anmeldung in zwei Schritten ist eingeschaltet",
  twoFactorOnText: "Ab jetzt fragt die Anmeldung bei {site} auch nach einem Code aus deiner App.",
  twoFactorOff: "Die Anmeldung in zwei Schritten ist ausgeschaltet",
  twoFactorOffText:
    "Die Anmeldung bei {site} fragt nicht mehr nach einem Code. Du oder der Inhaber der Website habt das ausgeschaltet.",
  recoveryUsed: "Ein Ersatzcode wurde benutzt",
  recoveryUsedText:
    "Mit einem Ersatzcode hat sich jemand in deinem Konto bei {site} angemeldet. Er gilt kein zweites Mal.",
  recoveryRenewed: "Neue Ersatzcodes",
  recoveryRenewedText: "Dein Konto bei {site} hat zehn neue Ersatzcodes. Die bisherigen gelten nicht mehr.",
  twoFactorEnd:
    "Wenn du das nicht warst, lege jetzt ein neues Passwort fest: Das beendet alle Sitzungen und alle API-Schlüssel. Sage es dann dem Team der Website.",

  siteGot: "{site} gehört jetzt dir",
  siteGotText:
    "{site} wurde dir am {time} übergeben. Als Inhaber ernennst du das Team, änderst die Einstellungen und kannst die ganze Website exportieren.",
  openSite: "Website öffnen",
  siteGotEnd: "Wenn du das nicht erwartet hast, schreib dem Team der Website.",
  siteGiven: "Du hast {site} übergeben",
  siteGivenText:
    "Am {time} hat {site} einen neuen Inhaber bekommen. Du gehörst jetzt zur Moderation, und deine API-Schlüssel gelten nicht mehr.",
  siteGivenEnd:
    "Wenn du die Website nicht selbst übergeben hast, setze jetzt ein neues Passwort und schreib dem neuen Inhaber und dem Betreiber.",
  accountDeleted: "Dein Konto ist gelöscht",
  accountDeletedText:
    "Dein Konto bei {site} wurde am {time} gelöscht. Niemand kann sich mehr damit anmelden. Deine Beiträge und Kommentare bleiben ohne deinen Namen stehen, und deine Stimmen zählen weiter, wenn sie nicht zurückgenommen wurden. Protokolle, Zähler und Sicherungen können dich noch nennen; all das ist bis zum {until} verschwunden.",
  accountDeletedEnd:
    "Dies ist die letzte E-Mail an diese Adresse. Du kannst dich damit neu registrieren, als neue Person. Wenn du das Konto nicht selbst gelöscht hast, schreib dem Team von {site}.",

  exportReady: "Dein Export ist fertig",
  exportReadyText:
    "Der Export von ganz {site} ist fertig. Melde dich als Inhaber an und lade ihn innerhalb einer Stunde herunter: Danach wird er gelöscht.",
  openExport: "Export herunterladen",
  exportReadyEnd:
    "Er enthält die Adressen aller Personen. Wenn du ihn nicht angefordert hast, lege unter „Passwort vergessen?“ ein neues Passwort fest: Das beendet alle Sitzungen und API-Schlüssel.",

  webhookDisabled: "Ein Webhook ist ausgeschaltet",
  webhookDisabledText:
    "Ein Webhook von {site} ist ausgeschaltet: Sein Empfänger nahm drei Tage lang keine Nachricht an oder ist weg.",
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
  mergedSubject: "Zusammengeführt: {title}",
  mergedText:
    "„{title}“ und „{into}“ wünschen dasselbe, deshalb hat das Team beide zusammengeführt. Es geht bei „{into}“ weiter; dort zählen jetzt alle Stimmen.",
  openPost: "Beitrag öffnen",
  whyPost:
    "Du bekommst diese E-Mail, weil du dem Beitrag folgst: Du hast ihn verfasst, dafür gestimmt oder es so gewählt.",
  whyReply: "Du bekommst diese E-Mail, weil du den Kommentar geschrieben hast.",
  leavePost: "Keine E-Mails mehr zu diesem Beitrag",
  leaveAll: "Keine E-Mails mehr zu Beiträgen",

  newPostSubject: "Ein neuer Beitrag: {title}",
  newPostsSubject: "Neue Beiträge: {title} und andere",
  newPostsText: "Bei {site} gibt es neue Beiträge:",
  newPostsMore: "Weitere stehen in der Liste der Beiträge.",
  openPosts: "Beiträge öffnen",
  whyNewPosts:
    "Du bekommst diese E-Mail, weil du zum Team gehörst und es so gewählt hast oder weil du der Inhaber bist.",
  leaveNewPosts: "Keine E-Mails mehr zu neuen Beiträgen",

  digestOneSubject: "Etwas wartet auf deine Entscheidung bei {site}",
  digestSubject: "{n} Dinge warten auf deine Entscheidung bei {site}",
  digestManySubject: "Mindestens {n} Dinge warten auf deine Entscheidung bei {site}",
  digestText: "Das kam seit der letzten solchen E-Mail und wartet auf das Team von {site}:",
  digestPost: "Neuer Beitrag: {text}",
  digestComment: "Neuer Kommentar: {text}",
  digestReportedPost: "Gemeldeter Beitrag: {text}",
  digestReportedComment: "Gemeldeter Kommentar: {text}",
  digestMore: "Mehr steht auf der Seite.",
  openQueue: "Ansehen, was wartet",
  whyDigest: "Du bekommst diese E-Mail höchstens einmal in der Stunde, weil du zum Team gehörst und sie gewählt hast.",
  leaveDigest: "Keine E-Mails mehr zu dem, was wartet",
};

export const dePage: PageTexts = {
  unsubscribe: "E-Mails abbestellen",
  askNewPosts: "Du bekommst E-Mails von {site} zu neuen Beiträgen. Drücke die Schaltfläche, um sie abzubestellen.",
  endedNewPosts:
    "Von {site} kommen keine E-Mails zu neuen Beiträgen mehr. In deinem Profil kannst du sie wieder wählen.",
  askDigest:
    "Du bekommst E-Mails von {site} zu dem, was auf das Team wartet. Drücke die Schaltfläche, um sie abzubestellen.",
  endedDigest:
    "Du bekommst von {site} keine E-Mails mehr zu dem, was auf das Team wartet. Du kannst sie in deinem Profil wieder wählen.",
  quoted: "„{title}“",
  thePost: "dem Beitrag jener E-Mail",
  askPost: "Du bekommst E-Mails von {site} zu {post}. Drücke die Schaltfläche, um sie abzubestellen.",
  askAll: "Du bekommst E-Mails von {site} zu Beiträgen. Drücke die Schaltfläche, um alle abzubestellen.",
  unsubscribed: "E-Mails abbestellt",
  endedPost: "Von {site} kommen keine E-Mails zu {post} mehr. Du kannst dem Beitrag jederzeit wieder folgen.",
  openPost: "Beitrag öffnen",
  chooseMails: "E-Mails wählen",
  endedAll: "Von {site} kommen keine E-Mails zu Beiträgen mehr. In deinem Profil kannst du sie wieder wählen.",
  linkBroken: "Dieser Link ist nicht vollständig",
  linkBrokenText:
    "Es hat sich nichts geändert. Manche E-Mail-Programme kürzen oder ändern lange Links: Öffne den ganzen Link der E-Mail, oder melde dich bei {site} an und wähle deine E-Mails im Profil.",
};
