import { type Language, language } from "../../text.ts";

// What only the second step of a sign-in and its set-up say, in all languages: others do not load it. Rules as in
// portal/texts/.

const en = {
  twoFactorHint:
    "A sign-in then also asks for a code of an app on your phone. Who knows your password cannot enter without it.",
  twoFactorIsOn: "It is switched on.",
  twoFactorOn: "Switch it on",
  twoFactorOff: "Switch it off",
  twoFactorEnded: "Two-step sign-in is switched off.",
  twoFactorMust: "This site asks its team for a second step. Set it up now.",
  scanCode: "Scan this picture with an authenticator app, or type the secret into it.",
  qrCode: "QR code of the secret",
  firstCodeHint: "Six digits that the app shows now.",
  recoveryCodes: "Recovery codes",
  recoveryHint:
    "Keep these codes where you find them without your phone. Each works once in place of the app, and they are shown only now.",
  codesKept: "I have kept them",
  beginAgain: "Begin again",
};

type Key = keyof typeof en;

export const twoFactorTexts: Record<Language, Record<Key, string>> = {
  en,
  de: {
    twoFactorHint:
      "Die Anmeldung fragt dann auch nach einem Code aus einer App auf deinem Telefon. Wer nur dein Passwort kennt, kommt ohne ihn nicht hinein.",
    twoFactorIsOn: "Sie ist eingeschaltet.",
    twoFactorOn: "Einschalten",
    twoFactorOff: "Ausschalten",
    twoFactorEnded: "Die Anmeldung in zwei Schritten ist ausgeschaltet.",
    twoFactorMust: "Diese Website verlangt von ihrem Team einen zweiten Schritt. Richte ihn jetzt ein.",
    scanCode: "Scanne dieses Bild mit einer Authenticator-App oder gib dort das Geheimnis ein.",
    qrCode: "QR-Code des Geheimnisses",
    firstCodeHint: "Die sechs Ziffern, die die App jetzt zeigt.",
    recoveryCodes: "Ersatzcodes",
    recoveryHint:
      "Bewahre diese Codes auf, wo du sie ohne dein Telefon findest. Jeder ersetzt einmal die App, und sie werden nur jetzt gezeigt.",
    codesKept: "Ich habe sie aufbewahrt",
    beginAgain: "Von vorn beginnen",
  },
  es: {
    twoFactorHint:
      "Al entrar se pide entonces también un código de una aplicación de tu teléfono. Quien sepa tu contraseña no puede entrar sin él.",
    twoFactorIsOn: "Está activado.",
    twoFactorOn: "Activar",
    twoFactorOff: "Desactivar",
    twoFactorEnded: "El acceso en dos pasos está desactivado.",
    twoFactorMust: "Este sitio pide a su equipo un segundo paso. Configúralo ahora.",
    scanCode: "Escanea esta imagen con una aplicación de autenticación o escribe en ella el secreto.",
    qrCode: "Código QR del secreto",
    firstCodeHint: "Las seis cifras que la aplicación muestra ahora.",
    recoveryCodes: "Códigos de recuperación",
    recoveryHint:
      "Guarda estos códigos donde los encuentres sin tu teléfono. Cada uno sustituye una vez a la aplicación, y solo se muestran ahora.",
    codesKept: "Los he guardado",
    beginAgain: "Empezar de nuevo",
  },
  fr: {
    twoFactorHint:
      "La connexion demande alors aussi un code d’une application de votre téléphone. Votre mot de passe seul ne suffit plus.",
    twoFactorIsOn: "Elle est activée.",
    twoFactorOn: "Activer",
    twoFactorOff: "Désactiver",
    twoFactorEnded: "La connexion en deux étapes est désactivée.",
    twoFactorMust: "Ce site demande une seconde étape à son équipe. Configurez-la maintenant.",
    scanCode: "Scannez cette image avec une application d’authentification, ou saisissez-y le secret.",
    qrCode: "Code QR du secret",
    firstCodeHint: "Les six chiffres que l’application affiche maintenant.",
    recoveryCodes: "Codes de secours",
    recoveryHint:
      "Gardez ces codes là où vous les trouverez sans votre téléphone. Chacun remplace une fois l’application, et ils ne s’affichent que maintenant.",
    codesKept: "Je les ai gardés",
    beginAgain: "Recommencer",
  },
  pt: {
    twoFactorHint:
      "Ao entrar, pede-se também um código de um aplicativo do seu telefone. Quem souber sua senha não entra sem ele.",
    twoFactorIsOn: "Está ativada.",
    twoFactorOn: "Ativar",
    twoFactorOff: "Desativar",
    twoFactorEnded: "A entrada em duas etapas está desativada.",
    twoFactorMust: "Este site pede uma segunda etapa à sua equipe. Configure-a agora.",
    scanCode: "Leia esta imagem com um aplicativo autenticador ou digite nele o segredo.",
    qrCode: "Código QR do segredo",
    firstCodeHint: "Os seis dígitos que o aplicativo mostra agora.",
    recoveryCodes: "Códigos de recuperação",
    recoveryHint:
      "Guarde estes códigos onde possa encontrá-los sem o telefone. Cada um substitui uma vez o aplicativo, e eles só aparecem agora.",
    codesKept: "Eu os guardei",
    beginAgain: "Começar de novo",
  },
  ja: {
    twoFactorHint:
      "ログインのときに、スマートフォンのアプリのコードも必要になります。パスワードを知られても、コードがなければログインされません。",
    twoFactorIsOn: "有効になっています。",
    twoFactorOn: "有効にする",
    twoFactorOff: "無効にする",
    twoFactorEnded: "2段階ログインを無効にしました。",
    twoFactorMust: "このサイトはチームに2段階ログインを求めています。今すぐ設定してください。",
    scanCode: "認証アプリでこの画像を読み取るか、秘密鍵を入力してください。",
    qrCode: "秘密鍵のQRコード",
    firstCodeHint: "アプリに今表示されている6桁の数字です。",
    recoveryCodes: "リカバリーコード",
    recoveryHint:
      "スマートフォンがなくても見られる場所に、これらのコードを保管してください。それぞれ一度だけアプリの代わりに使え、表示されるのは今回だけです。",
    codesKept: "保管しました",
    beginAgain: "最初からやり直す",
  },
};

export function twoFactorText(key: Key): string {
  return twoFactorTexts[language.value][key];
}
