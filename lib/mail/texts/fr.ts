import type { PageTexts, Texts } from "./en.ts";

// French, with "vous", and the terms and spaces of portal/texts/fr.ts.

export const fr: Texts = {
  welcome: "Bienvenue sur {site}",
  welcomeText:
    "Votre compte sur {site} est prêt. Il reste une étape : connectez-vous et confirmez que cette adresse est la vôtre.",
  verify: "Confirmez votre adresse e-mail",
  verifyText: "Connectez-vous et confirmez que cette adresse est la vôtre.",
  confirm: "Confirmer l’adresse e-mail",
  confirmEnd:
    "Le lien est valable deux heures et une seule fois. Si vous n’avez pas créé de compte, vous n’avez rien à faire.",

  reset: "Choisissez un nouveau mot de passe",
  resetText:
    "Un nouveau mot de passe a été demandé pour votre compte sur {site}. Si cette demande vient de vous, choisissez-le ici.",
  resetEnd:
    "Le lien est valable deux heures et une seule fois. Si cette demande ne vient pas de vous, ne faites rien : votre mot de passe reste le même.",

  invitation: "Une invitation à rejoindre {site}",
  invitationText:
    "{inviter} vous invite sur {site} : avec un compte, vous pouvez y publier, voter et commenter. {next}",
  invitationTeamText:
    "{inviter} vous invite à rejoindre l’équipe de {site} : en tant que modérateur, vous répondez aux publications, approuvez ce qui attend et lisez les notes de l’équipe. {next}",
  setPasswordHere: "Choisissez ici votre mot de passe.",
  signInByLink: "Vous vous connectez par un lien envoyé à cette adresse.",
  invitationEnd:
    "Le lien est valable une semaine et une seule fois. Si vous ne voulez pas de ce compte, ne faites rien.",
  acceptInvitation: "Choisir mon mot de passe",
  inviter: "{name}",
  inviterTeam: "L’équipe",
  invitationByMailEnd:
    "Demandez le lien quand vous voulez vous connecter. Si vous ne voulez pas de ce compte, ne faites rien.",

  newAddress: "Confirmez votre nouvelle adresse e-mail",
  newAddressText:
    "Connectez-vous et confirmez que cette adresse est bien votre nouvelle adresse sur {site}. D’ici là, l’ancienne reste valable.",
  newAddressEnd:
    "Le lien est valable deux heures et une seule fois. Si cette demande ne vient pas de vous, ne faites rien.",

  addressAsked: "Un changement d’adresse e-mail a été demandé",
  addressAskedText: "Votre compte sur {site} aura une autre adresse e-mail dès qu’elle sera confirmée.",
  addressAskedEnd:
    "Si cette demande ne vient pas de vous, changez tout de suite de mot de passe avec « Mot de passe oublié ? » : cette adresse sera conservée.",

  addressChanged: "Votre adresse e-mail a changé",
  addressChangedText:
    "Votre compte sur {site} a maintenant une autre adresse e-mail. Plus aucun message ne sera envoyé à celle-ci.",
  addressChangedEnd: "Si ce changement ne vient pas de vous, écrivez à l’équipe de {site}.",

  newKey: "Une nouvelle clé d’API",
  newKeyText:
    "La clé d’API « {keyName} » a été créée pour votre compte sur {site}. Un programme qui la possède peut agir en votre nom.",
  openKeys: "Ouvrir les clés d’API",
  newKeyEnd:
    "Si elle ne vient pas de vous, changez de mot de passe avec « Mot de passe oublié ? » : cela met fin à toutes les sessions et à toutes les clés d’API.",

  signIn: "Connexion",
  signInSubject: "Connexion à {site}",
  signInText:
    "Ouvrez le lien et appuyez sur le bouton pour vous connecter à {site}. Si vous y avez écrit quelque chose, utilisez le même navigateur.",
  orCode: "Ou saisissez ce code là où vous l’avez demandé pour y continuer",
  signInEnd:
    "Les deux sont valables 15 minutes et un seul des deux peut servir, une seule fois. Ils ont été demandés le {time} avec {browser}. Si ce n’était pas vous, ne faites rien et ne donnez le code à personne.",
  unknownBrowser: "un navigateur inconnu",

  signedIn: "Une connexion depuis un autre endroit",
  signedInText:
    "Un lien ou un code que nous vous avons envoyé a ouvert une session sur {site} le {time} avec {browser}. Un autre navigateur ou un autre réseau l’avait demandé.",
  signedInEnd:
    "Si c’était vous, tout va bien. Sinon, choisissez un nouveau mot de passe : cela met fin à toutes les sessions et clés d’API.",
  signInLinked: "Une connexion a été associée à votre compte",
  signInLinkedText:
    "Le {time}, une connexion a été associée à votre compte de {site} : {provider}. Désormais, elle ouvre aussi votre compte.",
  signInLinkedEnd:
    "Si ce n’était pas vous, choisissez un nouveau mot de passe : toutes les connexions associées, sessions et clés d’API prennent fin.",
  ownProduct: "un lien du produit",
  passwordChanged: "Votre mot de passe a changé",
  passwordChangedText:
    "Le {time}, le mot de passe de votre compte sur {site} a été modifié. Les autres sessions sont terminées.",
  passwordSet: "Votre mot de passe est enregistré",
  passwordSetText:
    "Le {time}, un mot de passe a été défini pour votre compte sur {site}. Les autres sessions sont terminées.",
  twoFactorOn: "La connexion en deux étapes est activée",
  twoFactorOnText: "Désormais, la connexion à {site} demande aussi un code de votre application.",
  twoFactorOff: "La connexion en deux étapes est désactivée",
  twoFactorOffText: "La connexion à {site} ne demande plus de code. Vous ou le propriétaire du site l’avez désactivé.",
  recoveryUsed: "Un code de secours a été utilisé",
  recoveryUsedText:
    "Quelqu’un s’est connecté à votre compte de {site} avec un code de secours. Ce code ne fonctionne plus.",
  recoveryRenewed: "Nouveaux codes de secours",
  recoveryRenewedText: "Votre compte sur {site} a dix nouveaux codes de secours. Les précédents ne fonctionnent plus.",
  twoFactorEnd:
    "Si ce n’était pas vous, choisissez maintenant un nouveau mot de passe : toutes les sessions et clés d’API prennent fin. Prévenez ensuite l’équipe du site.",

  siteGot: "{site} est maintenant à vous",
  siteGotText:
    "{site} vous a été transmis le {time}. En tant que propriétaire, vous nommez l’équipe, modifiez les réglages et pouvez exporter tout le site.",
  openSite: "Ouvrir le site",
  siteGotEnd: "Si vous ne vous y attendiez pas, écrivez à l’équipe du site.",
  siteGiven: "Vous avez transmis {site}",
  siteGivenText:
    "Le {time}, {site} a changé de propriétaire. Vous êtes maintenant modérateur, et vos clés d’API ne fonctionnent plus.",
  siteGivenEnd:
    "Si ce n’est pas vous qui avez transmis le site, choisissez tout de suite un nouveau mot de passe, et écrivez au nouveau propriétaire et à l’exploitant du service.",
  accountDeleted: "Votre compte est supprimé",
  accountDeletedText:
    "Votre compte sur {site} a été supprimé le {time}. Plus personne ne peut s’en servir. Vos publications et commentaires restent sans votre nom, et vos votes restent comptés s’ils n’ont pas été retirés. Les journaux, les compteurs et les sauvegardes peuvent encore vous nommer ; tout cela aura disparu le {until}.",
  accountDeletedEnd:
    "C’est le dernier e-mail à cette adresse. Vous pouvez vous réinscrire avec elle, comme une nouvelle personne. Si ce n’est pas vous qui avez supprimé le compte, écrivez à l’équipe de {site}.",

  exportReady: "Votre export est prêt",
  exportReadyText:
    "L’export complet de {site} est prêt. Connectez-vous en tant que propriétaire et téléchargez-le dans l’heure : ensuite, il est supprimé.",
  openExport: "Télécharger l’export",
  exportReadyEnd:
    "Il contient les adresses de toutes les personnes. Si vous ne l’avez pas demandé, changez de mot de passe avec « Mot de passe oublié ? » : cela met fin à toutes les sessions et à toutes les clés d’API.",

  webhookDisabled: "Un webhook est désactivé",
  webhookDisabledText:
    "Un webhook de {site} est désactivé : son destinataire n’a accepté aucun message pendant trois jours ou n’existe plus.",
  openWebhooks: "Ouvrir les webhooks",
  webhookDisabledEnd: "Réactivez-le quand le destinataire fonctionnera : les messages en attente seront alors envoyés.",

  statusSubject: "{status} : {title}",
  statusText: "Le statut de « {title} » est maintenant « {status} ».",
  responseSubject: "Une réponse à {title}",
  responseText: "L’équipe a répondu à « {title} ».",
  commentSubject: "Un commentaire sur {title}",
  commentText: "{name} a commenté « {title} ».",
  replySubject: "Une réponse sur {title}",
  replyText: "{name} a répondu à votre commentaire sur « {title} ».",
  restSubject: "D’autres commentaires sur {title}",
  restText: "D’autres commentaires sur « {title} » sont arrivés après le dernier e-mail.",
  mergedSubject: "Fusion : {title}",
  mergedText:
    "« {title} » et « {into} » demandent la même chose : l’équipe a donc fusionné les deux publications. La suite se passe dans « {into} », où comptent désormais tous les votes.",
  openPost: "Ouvrir la publication",
  whyPost:
    "Vous recevez cet e-mail parce que vous suivez cette publication : vous l’avez écrite, vous avez voté pour elle ou vous avez choisi de la suivre.",
  whyReply: "Vous recevez cet e-mail parce que vous avez écrit le commentaire.",
  leavePost: "Ne plus recevoir d’e-mails sur cette publication",
  leaveAll: "Ne plus recevoir d’e-mails sur les publications",

  newPostSubject: "Une nouvelle publication : {title}",
  newPostsSubject: "Nouvelles publications : {title} et d’autres",
  newPostsText: "De nouvelles publications sur {site} :",
  newPostsMore: "Il y en a d’autres dans la liste des publications.",
  openPosts: "Ouvrir les publications",
  whyNewPosts:
    "Vous recevez cet e-mail parce que vous faites partie de l’équipe et avez choisi les e-mails sur les nouvelles publications, ou parce que le site est à vous.",
  leaveNewPosts: "Ne plus recevoir d’e-mails sur les nouvelles publications",

  digestOneSubject: "Un élément attend votre décision sur {site}",
  digestSubject: "{n} éléments attendent votre décision sur {site}",
  digestManySubject: "Au moins {n} éléments attendent votre décision sur {site}",
  digestText: "Voici ce qui est arrivé depuis le dernier e-mail de ce type et attend l’équipe de {site} :",
  digestPost: "Nouvelle publication : {text}",
  digestComment: "Nouveau commentaire : {text}",
  digestReportedPost: "Publication signalée : {text}",
  digestReportedComment: "Commentaire signalé : {text}",
  digestMore: "La page en contient d’autres.",
  openQueue: "Voir ce qui attend",
  whyDigest:
    "Vous recevez cet e-mail, une fois par heure au plus, parce que vous faites partie de l’équipe et l’avez choisi.",
  leaveDigest: "Ne plus recevoir d’e-mails sur ce qui attend",
};

export const frPage: PageTexts = {
  unsubscribe: "Se désabonner",
  askNewPosts:
    "Vous recevez des e-mails de {site} sur les nouvelles publications. Cliquez sur le bouton pour ne plus les recevoir.",
  endedNewPosts:
    "Vous ne recevrez plus d’e-mails de {site} sur les nouvelles publications. Vous pouvez les réactiver dans votre profil.",
  askDigest:
    "Vous recevez des e-mails de {site} sur ce qui attend l’équipe. Appuyez sur le bouton pour ne plus les recevoir.",
  endedDigest:
    "Vous ne recevez plus d’e-mails de {site} sur ce qui attend l’équipe. Vous pouvez les choisir de nouveau dans votre profil.",
  quoted: "« {title} »",
  thePost: "la publication de cet e-mail",
  askPost: "Vous recevez des e-mails de {site} sur {post}. Cliquez sur le bouton pour ne plus les recevoir.",
  askAll:
    "Vous recevez des e-mails de {site} sur les publications. Cliquez sur le bouton pour ne plus en recevoir aucun.",
  unsubscribed: "Désabonnement confirmé",
  endedPost: "Vous ne recevrez plus d’e-mails de {site} sur {post}. Vous pourrez la suivre de nouveau à tout moment.",
  openPost: "Ouvrir la publication",
  chooseMails: "Choisir vos e-mails",
  endedAll:
    "Vous ne recevrez plus d’e-mails de {site} sur les publications. Vous pouvez les réactiver dans votre profil.",
  linkBroken: "Ce lien n’est pas complet",
  linkBrokenText:
    "Rien n’a changé. Certains logiciels de messagerie coupent ou modifient les liens longs : ouvrez le lien entier de l’e-mail, ou connectez-vous à {site} et choisissez vos e-mails dans votre profil.",
};
