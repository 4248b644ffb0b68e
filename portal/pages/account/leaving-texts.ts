import { type Language, language } from "../../text.ts";

// What only the page says that deletes an account, in all languages: others do not load it. Rules as in portal/texts/.

const en = {
  goodbye: "Delete my account",
  ends: "These are deleted at once, for good: your sign-in, your email address and name, your API keys and linked sign-ins. You can sign up again with the same email address, as a new person.",
  stay: "Your posts and comments stay, under “Deleted user”. If you want any of them gone, delete them first under “My posts”.",
  votesStay: "Your votes stay counted, without your name.",
  withdraw: "Also take back my votes",
  copies:
    "Backups keep the account for 35 days. Logs refer to it by a number, without name or email address, for 30 days.",
  forGood: "Delete my account for good",
  gone: "Your account is deleted. The last backup that contains it is deleted on {date}.",
};

type Key = keyof typeof en;

export const leavingTexts: Record<Language, Record<Key, string>> = {
  en,
  de: {
    goodbye: "Mein Konto löschen",
    ends: "Sofort und endgültig gelöscht werden: dein Zugang, deine E-Mail-Adresse und dein Name, deine API-Schlüssel und verknüpfte Anmeldungen. Mit derselben E-Mail-Adresse kannst du dich neu registrieren, als neue Person.",
    stay: "Deine Beiträge und Kommentare bleiben, unter „Gelöschtes Konto“. Wenn einige verschwinden sollen, lösche sie vorher unter „Meine Beiträge“.",
    votesStay: "Deine Stimmen zählen weiter, ohne deinen Namen.",
    withdraw: "Auch meine Stimmen zurücknehmen",
    copies:
      "Sicherungen behalten das Konto 35 Tage. Protokolle nennen es 30 Tage lang mit einer Nummer, ohne Namen und E-Mail-Adresse.",
    forGood: "Mein Konto endgültig löschen",
    gone: "Dein Konto ist gelöscht. Die letzte Sicherung, die es enthält, wird am {date} gelöscht.",
  },
  es: {
    goodbye: "Eliminar mi cuenta",
    ends: "Se eliminan ahora y para siempre: tu acceso, tu correo y tu nombre, tus claves de API y las formas de entrar vinculadas. Con el mismo correo puedes crear una cuenta nueva.",
    stay: "Tus publicaciones y comentarios se quedan, con el nombre «Cuenta eliminada». Si quieres quitar alguno, elimínalo antes en «Mis publicaciones».",
    votesStay: "Tus votos siguen contando, sin tu nombre.",
    withdraw: "Retirar también mis votos",
    copies:
      "Las copias de seguridad guardan la cuenta 35 días. Los registros la nombran con un número, sin nombre ni correo, durante 30 días.",
    forGood: "Eliminar mi cuenta para siempre",
    gone: "Tu cuenta está eliminada. La última copia de seguridad que la contiene se elimina el {date}.",
  },
  fr: {
    goodbye: "Supprimer mon compte",
    ends: "Sont supprimés tout de suite et pour toujours : votre accès, votre adresse e-mail et votre nom, vos clés d’API et les connexions associées. Avec la même adresse e-mail, vous pouvez créer un nouveau compte.",
    stay: "Vos publications et commentaires restent, sous le nom « Compte supprimé ». Pour en retirer certains, supprimez-les d’abord dans « Mes publications ».",
    votesStay: "Vos votes restent comptés, sans votre nom.",
    withdraw: "Retirer aussi mes votes",
    copies:
      "Les sauvegardes gardent le compte 35 jours. Les journaux le désignent par un numéro, sans nom ni adresse e-mail, pendant 30 jours.",
    forGood: "Supprimer mon compte pour toujours",
    gone: "Votre compte est supprimé. La dernière sauvegarde qui le contient sera supprimée le {date}.",
  },
  ja: {
    goodbye: "アカウントを削除",
    ends: "ログイン、メールアドレスと名前、APIキー、連携したログインは、すぐに完全に削除されます。同じメールアドレスで、別の人として新しいアカウントを作成できます。",
    stay: "投稿とコメントは「削除済みユーザー」の名前で残ります。消したいものは、先に「自分の投稿」から削除してください。",
    votesStay: "投票は、名前なしで数に残ります。",
    withdraw: "投票も取り消す",
    copies: "バックアップにはアカウントが35日間残ります。ログには、名前とメールアドレスのない番号が30日間残ります。",
    forGood: "アカウントを完全に削除する",
    gone: "アカウントを削除しました。これを含む最後のバックアップは{date}に削除されます。",
  },
  pt: {
    goodbye: "Excluir minha conta",
    ends: "São excluídos agora e para sempre: seu acesso, seu e-mail e seu nome, suas chaves de API e as formas de entrar vinculadas. Com o mesmo e-mail você pode criar uma conta nova.",
    stay: "Suas publicações e comentários ficam, com o nome “Conta excluída”. Se quiser remover algum, exclua-o antes em “Minhas publicações”.",
    votesStay: "Seus votos continuam contados, sem o seu nome.",
    withdraw: "Retirar também meus votos",
    copies:
      "Os backups guardam a conta por 35 dias. Os registros a citam por um número, sem nome nem e-mail, por 30 dias.",
    forGood: "Excluir minha conta para sempre",
    gone: "Sua conta foi excluída. O último backup que a contém será excluído em {date}.",
  },
};

export function leavingText(key: Key, values: Record<string, string> = {}): string {
  return leavingTexts[language.value][key].replace(/\{(\w+)\}/g, (_, name: string) => values[name] ?? "");
}
