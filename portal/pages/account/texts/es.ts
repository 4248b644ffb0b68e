import type { AccountTexts } from "./en.ts";

export const es: AccountTexts = {
  // The set-up, an invitation, a new password.
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

  // The owner's product.
  SSO_NOT_ALLOWED: "En este sitio no se puede entrar desde nuestro producto.",
  SSO_REFUSED: "Este enlace ya se usó o ha caducado. Vuelve a nuestro producto y ábrelo otra vez.",
  SIGN_IN_TO_LINK: "Tu correo ya tiene una cuenta aquí. Entra como antes y vincula esta forma de entrar en tu perfil.",
  STAFF_NOT_ALLOWED: "El equipo no puede entrar de esta forma.",
  continueAs: "Continuar como {name}",
  productHasAccount: "Tu correo ya tiene una cuenta aquí. Entra como antes y luego vincúlala.",
  productAsksToLink:
    "Esta cuenta tiene tu correo. Vincúlala y, desde ahora, entrarás con el enlace de nuestro producto.",
  linkProduct: "Vincular esta cuenta",

  // The second step of a sign-in.
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

  // The end of an account.
  goodbye: "Eliminar mi cuenta",
  ends: "Se eliminan ahora y para siempre: tu acceso, tu correo y tu nombre, tus claves de API y las formas de entrar vinculadas. Con el mismo correo puedes crear una cuenta nueva.",
  stay: "Tus publicaciones y comentarios se quedan, con el nombre «Cuenta eliminada». Si quieres quitar alguno, elimínalo antes en «Mis publicaciones».",
  votesStay: "Tus votos siguen contando, sin tu nombre.",
  withdraw: "Retirar también mis votos",
  copies:
    "Las copias de seguridad guardan la cuenta 35 días. Los registros la nombran con un número, sin nombre ni correo, durante 30 días.",
  forGood: "Eliminar mi cuenta para siempre",
  gone: "Tu cuenta está eliminada. La última copia de seguridad que la contiene se elimina el {date}.",
};
