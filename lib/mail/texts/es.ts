import type { PageTexts, Texts } from "./en.ts";

// Spanish for every country, with "tú", and the terms of portal/texts/es.ts.

export const es: Texts = {
  welcome: "Te damos la bienvenida a {site}",
  welcomeText: "Tu cuenta en {site} está lista. Solo falta un paso: entra y confirma que este correo es tuyo.",
  verify: "Confirma tu correo electrónico",
  verifyText: "Entra y confirma que este correo es tuyo.",
  confirm: "Confirmar el correo",
  confirmEnd: "El enlace vale dos horas y una sola vez. Si no creaste tú la cuenta, no hagas nada.",

  reset: "Elige una nueva contraseña",
  resetText: "Se pidió una nueva contraseña para tu cuenta en {site}. Si fuiste tú, elígela aquí.",
  resetEnd: "El enlace vale dos horas y una sola vez. Si no fuiste tú, no hagas nada: tu contraseña no cambia.",

  invitation: "Te invitan a {site}",
  invitationText: "{inviter} te invita a {site}: con una cuenta puedes publicar, votar y comentar allí. {next}",
  invitationTeamText:
    "{inviter} te invita a unirte al equipo de {site}: como moderador respondes publicaciones, apruebas lo que espera y lees las notas del equipo. {next}",
  setPasswordHere: "Elige aquí tu contraseña.",
  signInByLink: "Entras con un enlace que llega a este correo.",
  invitationEnd: "El enlace vale una semana y una sola vez. Si no quieres la cuenta, no hagas nada.",
  acceptInvitation: "Elegir mi contraseña",
  inviter: "{name}",
  inviterTeam: "El equipo",
  invitationByMailEnd: "Pide el enlace cuando quieras entrar. Si no quieres la cuenta, no hagas nada.",

  newAddress: "Confirma tu nuevo correo electrónico",
  newAddressText: "Entra y confirma que este es tu nuevo correo en {site}. Hasta entonces sigue valiendo el anterior.",
  newAddressEnd: "El enlace vale dos horas y una sola vez. Si no lo pediste tú, no hagas nada.",

  addressAsked: "Se pidió cambiar tu correo electrónico",
  addressAskedText: "Tu cuenta en {site} tendrá otro correo electrónico en cuanto se confirme.",
  addressAskedEnd:
    "Si no fuiste tú, cambia ahora tu contraseña con «¿Olvidaste tu contraseña?»: así se conserva este correo.",

  addressChanged: "Tu correo electrónico ha cambiado",
  addressChangedText: "Tu cuenta en {site} tiene ahora otro correo electrónico. A este ya no llegará ningún mensaje.",
  addressChangedEnd: "Si no fuiste tú, escribe al equipo de {site}.",

  newKey: "Una nueva clave de API",
  newKeyText:
    "Se creó la clave de API “{keyName}” para tu cuenta en {site}. Un programa que la tenga puede actuar en tu nombre.",
  openKeys: "Abrir las claves de API",
  newKeyEnd:
    "Si no fuiste tú, cambia tu contraseña con «¿Olvidaste tu contraseña?»: así se cierran todas las sesiones y se anulan todas las claves de API.",

  signIn: "Entrar",
  signInSubject: "Entra en {site}",
  signInText: "Abre el enlace y pulsa el botón para entrar en {site}. Si escribiste algo allí, usa el mismo navegador.",
  orCode: "O escribe este código donde lo pediste y sigue allí",
  signInEnd:
    "Ambos valen 15 minutos; solo puedes usar uno, una vez. Se pidieron el {time} con {browser}. Si no fuiste tú, no hagas nada y no des el código a nadie.",
  unknownBrowser: "un navegador desconocido",

  signedIn: "Has entrado desde otro lugar",
  signedInText:
    "Un enlace o código que te enviamos ha iniciado una sesión en {site} el {time} con {browser}. Lo había pedido otro navegador u otra red.",
  signedInEnd:
    "Si fuiste tú, todo está bien. Si no, elige una contraseña nueva: así se cierran todas las sesiones y se anulan todas las claves de API.",
  signInLinked: "Se ha vinculado una forma de entrar a tu cuenta",
  signInLinkedText:
    "El {time} se vinculó una forma de entrar a tu cuenta de {site}: {provider}. Desde ahora también abre tu cuenta.",
  signInLinkedEnd:
    "Si no fuiste tú, elige una contraseña nueva: así se anulan todas las formas vinculadas, las sesiones y las claves de API.",
  ownProduct: "un enlace del producto",
  passwordChanged: "Tu contraseña ha cambiado",
  passwordChangedText: "El {time} se cambió la contraseña de tu cuenta en {site}. Las demás sesiones se cerraron.",
  passwordSet: "Tu cuenta ya tiene contraseña",
  passwordSetText: "El {time} se definió una contraseña para tu cuenta en {site}. Las demás sesiones se cerraron.",
  twoFactorOn: "El acceso en dos pasos está activado",
  twoFactorOnText: "Desde ahora, para entrar en {site} también se pide un código de tu aplicación.",
  twoFactorOff: "El acceso en dos pasos está desactivado",
  twoFactorOffText: "Para entrar en {site} ya no se pide un código. Lo has desactivado tú o el propietario del sitio.",
  recoveryUsed: "Se ha usado un código de recuperación",
  recoveryUsedText: "Alguien ha entrado en tu cuenta de {site} con un código de recuperación. Ese código ya no vale.",
  recoveryRenewed: "Nuevos códigos de recuperación",
  recoveryRenewedText: "Tu cuenta de {site} tiene diez códigos de recuperación nuevos. Los anteriores ya no valen.",
  twoFactorEnd:
    "Si no fuiste tú, elige ahora una contraseña nueva: así se cierran todas las sesiones y se anulan todas las claves de API. Después avisa al equipo del sitio.",

  siteGot: "Ahora {site} es tuyo",
  siteGotText:
    "El {time} recibiste {site}. Como propietario nombras al equipo, cambias los ajustes y puedes exportar todo el sitio.",
  openSite: "Abrir el sitio",
  siteGotEnd: "Si no lo esperabas, escribe al equipo del sitio.",
  siteGiven: "Has entregado {site}",
  siteGivenText: "El {time} {site} pasó a otro propietario. Ahora eres moderador y tus claves de API ya no funcionan.",
  siteGivenEnd:
    "Si no fuiste tú quien entregó el sitio, pon ahora una contraseña nueva y escribe al nuevo propietario y a quien opera el servicio.",
  accountDeleted: "Tu cuenta se ha eliminado",
  accountDeletedText:
    "Tu cuenta en {site} se eliminó el {time}. Ya nadie puede entrar con ella. Tus publicaciones y comentarios quedan sin tu nombre, y tus votos siguen contando si no se retiraron. Los registros, contadores y copias de seguridad aún pueden nombrarte; todo eso habrá desaparecido el {until}.",
  accountDeletedEnd:
    "Este es el último correo a esta dirección. Puedes registrarte de nuevo con ella, como otra persona. Si no fuiste tú quien eliminó la cuenta, escribe al equipo de {site}.",

  exportReady: "Tu exportación está lista",
  exportReadyText:
    "La exportación completa de {site} está lista. Entra como propietario y descárgala en el plazo de una hora: después se borra.",
  openExport: "Descargar la exportación",
  exportReadyEnd:
    "Contiene las direcciones de todas las personas. Si no la pediste tú, cambia tu contraseña con «¿Olvidaste tu contraseña?»: así se cierran todas las sesiones y se anulan todas las claves de API.",

  webhookDisabled: "Un webhook está desactivado",
  webhookDisabledText:
    "Un webhook de {site} está desactivado: su receptor no aceptó ningún mensaje en tres días o ya no existe.",
  openWebhooks: "Abrir los webhooks",
  webhookDisabledEnd: "Actívalo de nuevo cuando el receptor funcione: entonces se enviarán los mensajes en espera.",

  statusSubject: "{status}: {title}",
  statusText: "El estado de «{title}» es ahora {status}.",
  responseSubject: "Una respuesta a {title}",
  responseText: "El equipo respondió a «{title}».",
  commentSubject: "Un comentario en {title}",
  commentText: "{name} comentó «{title}».",
  replySubject: "Una respuesta en {title}",
  replyText: "{name} respondió a tu comentario en «{title}».",
  restSubject: "Más comentarios en {title}",
  restText: "Después del último correo llegaron más comentarios a «{title}».",
  mergedSubject: "Unida a otra: {title}",
  mergedText:
    "«{title}» y «{into}» piden lo mismo, así que el equipo unió ambas publicaciones. Todo continúa en «{into}», donde ahora cuentan todos los votos.",
  openPost: "Abrir la publicación",
  whyPost: "Recibes este correo porque sigues esta publicación: la escribiste, votaste por ella o decidiste seguirla.",
  whyReply: "Recibes este correo porque escribiste el comentario.",
  leavePost: "No recibir más correos sobre esta publicación",
  leaveAll: "No recibir más correos sobre publicaciones",

  newPostSubject: "Una publicación nueva: {title}",
  newPostsSubject: "Publicaciones nuevas: {title} y otras",
  newPostsText: "Hay publicaciones nuevas en {site}:",
  newPostsMore: "Hay más en la lista de publicaciones.",
  openPosts: "Abrir las publicaciones",
  whyNewPosts:
    "Recibes este correo porque eres del equipo y elegiste recibir correos sobre publicaciones nuevas, o porque el sitio es tuyo.",
  leaveNewPosts: "No recibir más correos sobre publicaciones nuevas",

  digestOneSubject: "Algo espera tu decisión en {site}",
  digestSubject: "{n} cosas esperan tu decisión en {site}",
  digestManySubject: "Al menos {n} cosas esperan tu decisión en {site}",
  digestText: "Esto ha llegado desde el último correo de este tipo y espera al equipo de {site}:",
  digestPost: "Publicación nueva: {text}",
  digestComment: "Comentario nuevo: {text}",
  digestReportedPost: "Publicación denunciada: {text}",
  digestReportedComment: "Comentario denunciado: {text}",
  digestMore: "Hay más en la página.",
  openQueue: "Ver lo que espera",
  whyDigest: "Recibes este correo, como mucho una vez por hora, porque formas parte del equipo y lo has elegido.",
  leaveDigest: "No recibir más correos sobre lo que espera",
};

export const esPage: PageTexts = {
  unsubscribe: "Cancelar la suscripción",
  askNewPosts: "Recibes correos de {site} sobre publicaciones nuevas. Pulsa el botón para dejar de recibirlos.",
  endedNewPosts:
    "Ya no recibirás correos de {site} sobre publicaciones nuevas. Puedes volver a activarlos en tu perfil.",
  askDigest: "Recibes correos de {site} sobre lo que espera al equipo. Pulsa el botón para dejar de recibirlos.",
  endedDigest: "Ya no recibes correos de {site} sobre lo que espera al equipo. Puedes volver a elegirlos en tu perfil.",
  quoted: "«{title}»",
  thePost: "la publicación de ese correo",
  askPost: "Recibes correos de {site} sobre {post}. Pulsa el botón para dejar de recibirlos.",
  askAll: "Recibes correos de {site} sobre publicaciones. Pulsa el botón para dejar de recibirlos todos.",
  unsubscribed: "Suscripción cancelada",
  endedPost: "Ya no recibirás correos de {site} sobre {post}. Puedes volver a seguirla cuando quieras.",
  openPost: "Abrir la publicación",
  chooseMails: "Elegir tus correos",
  endedAll: "Ya no recibirás correos de {site} sobre publicaciones. Puedes volver a activarlos en tu perfil.",
  linkBroken: "Este enlace no está completo",
  linkBrokenText:
    "No ha cambiado nada. Algunos programas de correo cortan o modifican los enlaces largos: abre el enlace completo del correo, o entra en {site} y elige tus correos en tu perfil.",
};
