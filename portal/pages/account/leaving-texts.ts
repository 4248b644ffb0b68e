import { type Language, language } from "../../text.ts";

// What only the page says that deletes an account, in all languages: others do not load it. Rules as in portal/texts/.

const en = {
  goodbye: "Delete my account",
  ends: "This ends now, for good: your sign-in, your address and name, API keys and linked sign-ins. The same address can sign up again, as somebody new.",
  stay: "Your posts and comments stay, under “Deleted user”. Delete first what should go, at “My posts”.",
  votesStay: "Your votes stay counted, without your name.",
  withdraw: "Take my votes back too",
  copies: "Backups keep the account for 35 days. Logs name it by a number, without name or address, for 30 days.",
  forGood: "Delete my account for good",
  gone: "Your account is deleted. The last backup with it goes on {date}.",
};

type Key = keyof typeof en;

export const leavingTexts: Record<Language, Record<Key, string>> = {
  en,
  de: {
    goodbye: "Mein Konto löschen",
    ends: "Das endet sofort und endgültig: deine Anmeldung, deine Adresse und dein Name, API-Schlüssel und verknüpfte Anmeldungen. Dieselbe Adresse kann sich neu registrieren, als jemand Neues.",
    stay: "Deine Beiträge und Kommentare bleiben, unter „Gelöschtes Konto“. Lösche vorher bei „Meine Beiträge“, was verschwinden soll.",
    votesStay: "Deine Stimmen zählen weiter, ohne deinen Namen.",
    withdraw: "Auch meine Stimmen zurücknehmen",
    copies:
      "Sicherungen behalten das Konto 35 Tage. Protokolle nennen es 30 Tage lang mit einer Nummer, ohne Namen und Adresse.",
    forGood: "Mein Konto endgültig löschen",
    gone: "Dein Konto ist gelöscht. Die letzte Sicherung mit ihm verschwindet am {date}.",
  },
  es: {
    goodbye: "Eliminar mi cuenta",
    ends: "Esto termina ahora y para siempre: tu acceso, tu dirección y tu nombre, las claves de API y los accesos vinculados. La misma dirección puede crear otra cuenta, como alguien nuevo.",
    stay: "Tus publicaciones y comentarios se quedan, con el nombre «Cuenta eliminada». Elimina antes, en «Mis publicaciones», lo que deba irse.",
    votesStay: "Tus votos siguen contando, sin tu nombre.",
    withdraw: "Retirar también mis votos",
    copies:
      "Las copias de seguridad guardan la cuenta 35 días. Los registros la nombran con un número, sin nombre ni dirección, durante 30 días.",
    forGood: "Eliminar mi cuenta para siempre",
    gone: "Tu cuenta está eliminada. La última copia de seguridad que la contiene desaparece el {date}.",
  },
  fr: {
    goodbye: "Supprimer mon compte",
    ends: "Ceci prend fin tout de suite et pour toujours : votre connexion, votre adresse et votre nom, les clés d’API et les connexions liées. La même adresse peut créer un autre compte, comme une nouvelle personne.",
    stay: "Vos publications et commentaires restent, sous le nom « Compte supprimé ». Supprimez d’abord, dans « Mes publications », ce qui doit disparaître.",
    votesStay: "Vos votes restent comptés, sans votre nom.",
    withdraw: "Retirer aussi mes votes",
    copies:
      "Les sauvegardes gardent le compte 35 jours. Les journaux le nomment par un numéro, sans nom ni adresse, pendant 30 jours.",
    forGood: "Supprimer mon compte pour toujours",
    gone: "Votre compte est supprimé. La dernière sauvegarde qui le contient disparaît le {date}.",
  },
  ja: {
    goodbye: "アカウントを削除",
    ends: "ログイン、アドレスと名前、APIキー、連携したログインは、すぐに完全になくなります。同じアドレスで、新しい人としてもう一度登録できます。",
    stay: "投稿とコメントは「削除済みユーザー」の名前で残ります。消したいものは、先に「自分の投稿」から削除してください。",
    votesStay: "投票は、名前なしで数に残ります。",
    withdraw: "投票も取り消す",
    copies: "バックアップにはアカウントが35日間残ります。ログには、名前とアドレスのない番号が30日間残ります。",
    forGood: "アカウントを完全に削除する",
    gone: "アカウントを削除しました。これを含む最後のバックアップは{date}に消えます。",
  },
  pt: {
    goodbye: "Excluir minha conta",
    ends: "Isto acaba agora e para sempre: sua entrada, seu endereço e seu nome, as chaves de API e as entradas vinculadas. O mesmo endereço pode criar outra conta, como alguém novo.",
    stay: "Suas publicações e comentários ficam, com o nome “Conta excluída”. Exclua antes, em “Minhas publicações”, o que deve sumir.",
    votesStay: "Seus votos continuam contados, sem o seu nome.",
    withdraw: "Retirar também meus votos",
    copies:
      "Os backups guardam a conta por 35 dias. Os registros a citam por um número, sem nome nem endereço, por 30 dias.",
    forGood: "Excluir minha conta para sempre",
    gone: "Sua conta foi excluída. O último backup com ela some em {date}.",
  },
};

export function leavingText(key: Key, values: Record<string, string> = {}): string {
  return leavingTexts[language.value][key].replace(/\{(\w+)\}/g, (_, name: string) => values[name] ?? "");
}
