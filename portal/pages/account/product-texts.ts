import { addCodes, type Language, language, written } from "../../text.ts";

// What only the page of the owner's product says, in all languages: others do not load it. Rules as in portal/texts/.

const en = {
  // Codes of the service.
  SSO_NOT_ALLOWED: "Signing in from our product is switched off on this site.",
  SSO_REFUSED: "This link has already been used or has expired. Go back to our product and open it again.",
  SIGN_IN_TO_LINK:
    "Your email address already has an account here. Sign in as before, then link this sign-in in your profile.",
  STAFF_NOT_ALLOWED: "The team cannot sign in this way.",

  continueAs: "Continue as {name}",
  productHasAccount: "Your email address already has an account here. Sign in as before, then link it.",
  productAsksToLink:
    "This account has your email address. Link it, and from now on the link in our product signs you in.",
  linkProduct: "Link this account",
};

type Key = keyof typeof en;

export const productTexts: Record<Language, Record<Key, string>> = {
  en,
  de: {
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
  },
  es: {
    SSO_NOT_ALLOWED: "En este sitio no se puede entrar desde nuestro producto.",
    SSO_REFUSED: "Este enlace ya se usó o ha caducado. Vuelve a nuestro producto y ábrelo otra vez.",
    SIGN_IN_TO_LINK:
      "Tu correo ya tiene una cuenta aquí. Entra como antes y vincula esta forma de entrar en tu perfil.",
    STAFF_NOT_ALLOWED: "El equipo no puede entrar de esta forma.",
    continueAs: "Continuar como {name}",
    productHasAccount: "Tu correo ya tiene una cuenta aquí. Entra como antes y luego vincúlala.",
    productAsksToLink:
      "Esta cuenta tiene tu correo. Vincúlala y, desde ahora, entrarás con el enlace de nuestro producto.",
    linkProduct: "Vincular esta cuenta",
  },
  fr: {
    SSO_NOT_ALLOWED: "La connexion depuis notre produit est désactivée sur ce site.",
    SSO_REFUSED: "Ce lien a déjà servi ou a expiré. Retournez dans notre produit et ouvrez-le de nouveau.",
    SIGN_IN_TO_LINK:
      "Votre adresse e-mail a déjà un compte ici. Connectez-vous comme avant, puis associez cette connexion dans votre profil.",
    STAFF_NOT_ALLOWED: "L’équipe ne peut pas se connecter ainsi.",
    continueAs: "Continuer en tant que {name}",
    productHasAccount: "Votre adresse e-mail a déjà un compte ici. Connectez-vous comme avant, puis associez-le.",
    productAsksToLink:
      "Ce compte a votre adresse e-mail. Associez-le, et le lien de notre produit vous connectera désormais.",
    linkProduct: "Associer ce compte",
  },
  pt: {
    SSO_NOT_ALLOWED: "Neste site não se entra pelo nosso produto.",
    SSO_REFUSED: "Este link já foi usado ou expirou. Volte ao nosso produto e abra-o de novo.",
    SIGN_IN_TO_LINK: "Seu e-mail já tem uma conta aqui. Entre como antes e vincule esta forma de entrar no seu perfil.",
    STAFF_NOT_ALLOWED: "A equipe não pode entrar desta forma.",
    continueAs: "Continuar como {name}",
    productHasAccount: "Seu e-mail já tem uma conta aqui. Entre como antes e depois a vincule.",
    productAsksToLink:
      "Esta conta tem seu e-mail. Vincule-a e, daqui em diante, você entra pelo link do nosso produto.",
    linkProduct: "Vincular esta conta",
  },
  ja: {
    SSO_NOT_ALLOWED: "このサイトでは製品からのログインは無効です。",
    SSO_REFUSED: "このリンクは使用済みか期限切れです。製品に戻って開き直してください。",
    SIGN_IN_TO_LINK:
      "このメールアドレスのアカウントがすでにあります。これまでの方法でログインし、プロフィールで連携してください。",
    STAFF_NOT_ALLOWED: "チームはこの方法ではログインできません。",
    continueAs: "{name}として続ける",
    productHasAccount:
      "このメールアドレスのアカウントはすでにあります。これまでどおりログインしてから連携してください。",
    productAsksToLink:
      "このアカウントのメールアドレスはあなたのものと同じです。連携すると、今後は製品内のリンクからログインできます。",
    linkProduct: "このアカウントを連携",
  },
};

addCodes(productTexts);

export function productText(key: Key, values: Record<string, string | number> = {}): string {
  return written(productTexts[language.value][key], values);
}
