export default function RegistrationPage() {
  return <h1>Register account</h1>;
}
