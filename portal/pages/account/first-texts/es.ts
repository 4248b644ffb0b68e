import type { FirstTexts } from "./en.ts";

export const es: FirstTexts = {
  setUp: "Configura tu sitio",
  welcome: "¡Te damos la bienvenida! Aquí la gente te contará qué necesita y votará las ideas de los demás.",
  siteTitleHint: "Aparece en lo alto de cada página. Puedes cambiarlo más tarde.",
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
};
