import type { AccountTexts } from "./en.ts";

export const fr: AccountTexts = {
  // The set-up, an invitation, a new password.
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

  // The owner's product.
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

  // The second step of a sign-in.
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

  // The end of an account.
  goodbye: "Supprimer mon compte",
  ends: "Sont supprimés tout de suite et pour toujours : votre accès, votre adresse e-mail et votre nom, vos clés d’API et les connexions associées. Avec la même adresse e-mail, vous pouvez créer un nouveau compte.",
  stay: "Vos publications et commentaires restent, sous le nom « Compte supprimé ». Pour en retirer certains, supprimez-les d’abord dans « Mes publications ».",
  votesStay: "Vos votes restent comptés, sans votre nom.",
  withdraw: "Retirer aussi mes votes",
  copies:
    "Les sauvegardes gardent le compte 35 jours. Les journaux le désignent par un numéro, sans nom ni adresse e-mail, pendant 30 jours.",
  forGood: "Supprimer mon compte pour toujours",
  gone: "Votre compte est supprimé. La dernière sauvegarde qui le contient sera supprimée le {date}.",
};
