import { addCodes, type Language, language, written } from "../../text.ts";

// What only the set-up and an invitation say, in all languages: others do not load it. Rules as in portal/texts/.

const en = {
  setUp: "Set up your site",
  welcome: "Welcome! Here people will tell you what they need, and vote on each other’s ideas.",
  titleHint: "It appears at the top of every page. You can change it later.",
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

type Key = keyof typeof en;

export const rareTexts: Record<Language, Record<Key, string>> = {
  en,
  de: {
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
  },
  es: {
    setUp: "Configura tu sitio",
    welcome: "¡Te damos la bienvenida! Aquí la gente te contará qué necesita y votará las ideas de los demás.",
    titleHint: "Aparece en lo alto de cada página. Puedes cambiarlo más tarde.",
    setupCode: "Código de configuración",
    setupCodeHint: "Te lo dio quien opera este servicio.",
    asksSetupCode: "Este sitio pide su código de configuración.",
    wrongSetupCode: "Este no es el código de configuración.",
    next: "Qué pasa después",
    nextOwner: "Has entrado como propietario.",
    nextMail: "Un correo te pide confirmar tu dirección de correo.",
    nextSteps: "Una breve lista de primeros pasos te guía.",
    SETUP_COMPLETED: "Este sitio ya está configurado.",
    invitedTo: "Te damos la bienvenida a {title}",
    invitedBy:
      "El propietario de este sitio te ha invitado. Con tu cuenta puedes publicar, votar y comentar. Elige una contraseña.",
    setAndEnter: "Guardar la contraseña y entrar",
    invitedIn: "Has entrado. Vota lo que necesites o publícalo.",
    passwordSet: "Tu nueva contraseña ya es válida. Entra con ella.",
  },
  fr: {
    setUp: "Configurez votre site",
    welcome: "Bienvenue ! Ici, les gens vous diront ce dont ils ont besoin et voteront pour les idées des autres.",
    titleHint: "Il apparaît en haut de chaque page. Vous pourrez le changer plus tard.",
    setupCode: "Code de configuration",
    setupCodeHint: "La personne qui exploite ce service vous l’a donné.",
    asksSetupCode: "Ce site demande son code de configuration.",
    wrongSetupCode: "Ce n’est pas le code de configuration.",
    next: "La suite",
    nextOwner: "Vous êtes connecté comme propriétaire.",
    nextMail: "Un e-mail vous demande de confirmer votre adresse e-mail.",
    nextSteps: "Une courte liste de premiers pas vous guide.",
    SETUP_COMPLETED: "Ce site est déjà configuré.",
    invitedTo: "Bienvenue sur {title}",
    invitedBy:
      "Le propriétaire de ce site vous a invité. Avec votre compte, vous pouvez publier, voter et commenter. Choisissez un mot de passe.",
    setAndEnter: "Enregistrer et se connecter",
    invitedIn: "Vous êtes connecté. Votez pour ce dont vous avez besoin, ou publiez-le.",
    passwordSet: "Votre nouveau mot de passe est enregistré. Connectez-vous.",
  },
  pt: {
    setUp: "Configure seu site",
    welcome: "Boas-vindas! Aqui as pessoas vão contar do que precisam e votar nas ideias umas das outras.",
    titleHint: "Aparece no alto de cada página. Você pode mudá-lo depois.",
    setupCode: "Código de configuração",
    setupCodeHint: "Quem opera este serviço deu o código a você.",
    asksSetupCode: "Este site pede o código de configuração.",
    wrongSetupCode: "Este não é o código de configuração.",
    next: "O que vem depois",
    nextOwner: "Você entrou como proprietário.",
    nextMail: "Um e-mail pede que você confirme seu endereço de e-mail.",
    nextSteps: "Uma pequena lista de primeiros passos orienta você.",
    SETUP_COMPLETED: "Este site já está configurado.",
    invitedTo: "Boas-vindas a {title}",
    invitedBy:
      "O proprietário deste site convidou você. Com sua conta você pode publicar, votar e comentar. Escolha uma senha.",
    setAndEnter: "Salvar a senha e entrar",
    invitedIn: "Você entrou. Vote no que precisa ou publique.",
    passwordSet: "Sua nova senha já vale. Entre com ela.",
  },
  ja: {
    setUp: "サイトの初期設定",
    welcome: "ようこそ。ここには利用者の要望が集まり、お互いのアイデアに投票できます。",
    titleHint: "すべてのページの上部に表示されます。あとから変更できます。",
    setupCode: "設定コード",
    setupCodeHint: "サービスの運営者から受け取ったコードです。",
    asksSetupCode: "このサイトには設定コードが必要です。",
    wrongSetupCode: "設定コードが違います。",
    next: "このあとの流れ",
    nextOwner: "オーナーとしてログインしています。",
    nextMail: "メールアドレスの確認をお願いするメールが届きます。",
    nextSteps: "最初のステップの一覧がご案内します。",
    SETUP_COMPLETED: "このサイトはすでに設定済みです。",
    invitedTo: "{title}へようこそ",
    invitedBy:
      "このサイトのオーナーから招待されました。アカウントがあれば、投稿、投票、コメントができます。パスワードを決めてください。",
    setAndEnter: "パスワードを設定してログイン",
    invitedIn: "ログインしました。必要なものに投票するか、投稿してください。",
    passwordSet: "新しいパスワードを設定しました。ログインしてください。",
  },
};

addCodes(rareTexts);

export function rareText(key: Key, values: Record<string, string | number> = {}): string {
  return written(rareTexts[language.value][key], values);
}
