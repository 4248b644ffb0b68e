import { type Language, language, written } from "../../text.ts";

// What only the second step of a sign-in and its set-up say, in all languages: others do not load it. Rules as in
// portal/texts/.

const en = {
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
};

type Key = keyof typeof en;

export const twoFactorTexts: Record<Language, Record<Key, string>> = {
  en,
  de: {
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
  },
  es: {
    twoFactorHint:
      "Para entrar necesitarás también un código de una aplicación de tu teléfono. Tu contraseña sola ya no bastará.",
    twoFactorIsOn: "Está activado.",
    twoFactorOn: "Activar",
    twoFactorOff: "Desactivar",
    twoFactorEnded: "El acceso en dos pasos está desactivado.",
    twoFactorMust: "Este sitio exige a su equipo el acceso en dos pasos. Configúralo ahora.",
    scanCode: "Escanea este código QR con una aplicación de autenticación o escribe en ella el secreto.",
    qrCode: "Código QR del secreto",
    openApp: "Abrir la aplicación en este dispositivo",
    recoveryCodes: "Códigos de recuperación",
    recoveryHint:
      "Guarda estos códigos en un lugar al que llegues sin tu teléfono. Cada uno sustituye una vez a la aplicación, y solo se muestran ahora.",
    codesKept: "Los he guardado",
    copy: "Copiar",
    copied: "Copiado",
    download: "Descargar",
    codesLeft: "Queda {n} código.|Quedan {n} de códigos.|Quedan {n} códigos.",
    renewCodes: "Crear códigos nuevos",
    renewHint: "Recibes diez nuevos. Los que tienes ahora dejan de valer.",
    twoFactorOffHint: "Al entrar ya no se pedirá ningún código.",
    beginAgain: "Empezar de nuevo",
  },
  fr: {
    twoFactorHint:
      "Pour vous connecter, il vous faudra aussi un code d’une application de votre téléphone. Votre mot de passe seul ne suffira plus.",
    twoFactorIsOn: "Elle est activée.",
    twoFactorOn: "Activer",
    twoFactorOff: "Désactiver",
    twoFactorEnded: "La connexion en deux étapes est désactivée.",
    twoFactorMust: "Ce site exige de son équipe la connexion en deux étapes. Configurez-la maintenant.",
    scanCode: "Scannez ce code QR avec une application d’authentification, ou saisissez-y le secret.",
    qrCode: "Code QR du secret",
    openApp: "Ouvrir l’application sur cet appareil",
    recoveryCodes: "Codes de secours",
    recoveryHint:
      "Gardez ces codes dans un endroit accessible sans votre téléphone. Chacun remplace une fois l’application, et ils ne s’affichent que maintenant.",
    codesKept: "Je les ai enregistrés",
    copy: "Copier",
    copied: "Copié",
    download: "Télécharger",
    codesLeft: "Il reste {n} code.|Il reste {n} de codes.|Il reste {n} codes.",
    renewCodes: "Créer de nouveaux codes",
    renewHint: "Vous en recevez dix nouveaux. Ceux que vous avez ne fonctionneront plus.",
    twoFactorOffHint: "La connexion ne demandera plus de code.",
    beginAgain: "Recommencer",
  },
  pt: {
    twoFactorHint:
      "Para entrar, você também vai precisar de um código de um aplicativo do seu telefone. Só a senha não basta mais.",
    twoFactorIsOn: "Está ativada.",
    twoFactorOn: "Ativar",
    twoFactorOff: "Desativar",
    twoFactorEnded: "A entrada em duas etapas está desativada.",
    twoFactorMust: "Este site exige da equipe a entrada em duas etapas. Configure-a agora.",
    scanCode: "Leia este código QR com um aplicativo autenticador ou digite nele o segredo.",
    qrCode: "Código QR do segredo",
    openApp: "Abrir o aplicativo neste aparelho",
    recoveryCodes: "Códigos de recuperação",
    recoveryHint:
      "Guarde estes códigos onde possa encontrá-los sem o telefone. Cada um substitui uma vez o aplicativo, e eles só aparecem agora.",
    codesKept: "Já os guardei",
    copy: "Copiar",
    copied: "Copiado",
    download: "Baixar",
    codesLeft: "Resta {n} código.|Restam {n} de códigos.|Restam {n} códigos.",
    renewCodes: "Criar novos códigos",
    renewHint: "Você recebe dez novos. Os que tem agora deixam de funcionar.",
    twoFactorOffHint: "Ao entrar, não se pede mais código.",
    beginAgain: "Começar de novo",
  },
  ja: {
    twoFactorHint:
      "ログインのときに、スマートフォンのアプリのコードも必要になります。パスワードだけではログインできなくなります。",
    twoFactorIsOn: "有効になっています。",
    twoFactorOn: "有効にする",
    twoFactorOff: "無効にする",
    twoFactorEnded: "2段階ログインを無効にしました。",
    twoFactorMust: "このサイトはチームに2段階ログインを求めています。今すぐ設定してください。",
    scanCode: "認証アプリでこのQRコードを読み取るか、アプリに秘密鍵を入力してください。",
    qrCode: "秘密鍵のQRコード",
    openApp: "この端末のアプリで開く",
    recoveryCodes: "リカバリーコード",
    recoveryHint:
      "スマートフォンがなくても見られる場所に、これらのコードを保管してください。それぞれ一度だけアプリの代わりに使え、表示されるのは今回だけです。",
    codesKept: "保管しました",
    copy: "コピー",
    copied: "コピーしました",
    download: "ダウンロード",
    codesLeft: "残り{n}個です。",
    renewCodes: "新しいコードを作る",
    renewHint: "新しいコードが10個作られ、今お持ちのコードは使えなくなります。",
    twoFactorOffHint: "ログインのときにコードが不要になります。",
    beginAgain: "最初からやり直す",
  },
};

export function twoFactorText(key: Key, values: Record<string, string | number> = {}): string {
  return written(twoFactorTexts[language.value][key], values);
}
