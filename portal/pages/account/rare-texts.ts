import { addCodes, type Language, language, written } from "../../text.ts";

// What only the set-up and an invitation say, in all languages: others do not load it. Rules as in portal/texts/.

const en = {
  setUp: "Set up your portal",
  setUpHint: "This makes the owner's account and the first board.",
  setupCode: "Setup code",
  setupCodeHint: "Only if the operator of this service gave you one.",
  SETUP_COMPLETED: "This portal is set up already.",
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
    setUp: "Portal einrichten",
    setUpHint: "Das legt das Konto an, dem das Portal gehört, und das erste Board.",
    setupCode: "Einrichtungscode",
    setupCodeHint: "Nur wenn dir der Betreiber einen gegeben hat.",
    SETUP_COMPLETED: "Dieses Portal ist schon eingerichtet.",
    invitedTo: "Willkommen bei {title}",
    invitedBy:
      "Du bist vom Inhaber dieser Website eingeladen. Mit deinem Konto kannst du posten, abstimmen und kommentieren. Wähle ein Passwort dafür.",
    setAndEnter: "Passwort setzen und anmelden",
    invitedIn: "Du bist angemeldet. Stimme für das ab, was du brauchst, oder schreib es.",
    passwordSet: "Dein neues Passwort gilt. Bitte melde dich an.",
  },
  es: {
    setUp: "Configura tu portal",
    setUpHint: "Se crean la cuenta del propietario y el primer tablero.",
    setupCode: "Código de configuración",
    setupCodeHint: "Solo si te lo dio quien opera este servicio.",
    SETUP_COMPLETED: "Este portal ya está configurado.",
    invitedTo: "Te damos la bienvenida a {title}",
    invitedBy:
      "El propietario de este sitio te ha invitado. Con tu cuenta puedes publicar, votar y comentar. Elige una contraseña.",
    setAndEnter: "Guardar la contraseña y entrar",
    invitedIn: "Has entrado. Vota lo que necesites o publícalo.",
    passwordSet: "Tu nueva contraseña ya es válida. Entra con ella.",
  },
  fr: {
    setUp: "Configurez votre portail",
    setUpHint: "Cela crée le compte du propriétaire et le premier tableau.",
    setupCode: "Code de configuration",
    setupCodeHint: "Seulement si l’exploitant de ce service vous en a donné un.",
    SETUP_COMPLETED: "Ce portail est déjà configuré.",
    invitedTo: "Bienvenue sur {title}",
    invitedBy:
      "Le propriétaire de ce site vous a invité. Avec votre compte, vous pouvez publier, voter et commenter. Choisissez un mot de passe.",
    setAndEnter: "Enregistrer et se connecter",
    invitedIn: "Vous êtes connecté. Votez pour ce dont vous avez besoin, ou publiez-le.",
    passwordSet: "Votre nouveau mot de passe est enregistré. Connectez-vous.",
  },
  pt: {
    setUp: "Configure seu portal",
    setUpHint: "A conta do proprietário e o primeiro quadro serão criados.",
    setupCode: "Código de configuração",
    setupCodeHint: "Só se quem opera este serviço deu um a você.",
    SETUP_COMPLETED: "Este portal já está configurado.",
    invitedTo: "Boas-vindas a {title}",
    invitedBy:
      "O proprietário deste site convidou você. Com sua conta você pode publicar, votar e comentar. Escolha uma senha.",
    setAndEnter: "Salvar a senha e entrar",
    invitedIn: "Você entrou. Vote no que precisa ou publique.",
    passwordSet: "Sua nova senha já vale. Entre com ela.",
  },
  ja: {
    setUp: "ポータルの初期設定",
    setUpHint: "オーナーのアカウントと最初のボードを作成します。",
    setupCode: "設定コード",
    setupCodeHint: "サービスの運営者から受け取った場合のみ入力してください。",
    SETUP_COMPLETED: "このポータルはすでに設定済みです。",
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
