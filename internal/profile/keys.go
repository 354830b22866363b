package profile

import (
	"bytes"
	"errors"
	"io"
	"os"
	"strings"

	"filippo.io/age"
	"filippo.io/age/armor"

	"duet/internal/fault"
)

// Keys are the files that states are encrypted with; all "" leaves them as they are.
// They are read when they are needed. No secret is ever an argument.
type Keys struct {
	Passphrase string // a file whose first line is a passphrase
	Recipients string // a file of age recipients, one a line: whom a state is written for
	Identity   string // a file of age identities, one a line: who can read it
}

// What an encrypted file begins with.
const (
	plainHead = "age-encryption.org/v1"
	armored   = armor.Header
)

func encrypted(text []byte) bool {
	return bytes.HasPrefix(text, []byte(plainHead)) || bytes.HasPrefix(text, []byte(armored))
}

// encrypt encrypts a text where a key says for whom: recipients, or a passphrase, or
// the holder of the identity.
func (k Keys) encrypt(text []byte) (out []byte, sealed bool, err error) {
	to, err := k.recipients()
	if err != nil || len(to) == 0 {
		return text, false, err
	}
	var b bytes.Buffer
	w, err := age.Encrypt(&b, to...)
	if err == nil {
		_, err = w.Write(text)
	}
	if err == nil {
		err = w.Close()
	}
	if err != nil {
		return nil, true, fault.New(fault.StateInvalid, "the state cannot be encrypted").Because(err)
	}
	return b.Bytes(), true, nil
}

func (k Keys) recipients() ([]age.Recipient, error) {
	switch {
	case k.Recipients != "" && k.Passphrase != "":
		return nil, fault.New(fault.StateInvalid, "states are to be encrypted both for recipients and with a passphrase").
			WithHint("unset DUET_STATE_RECIPIENTS or DUET_STATE_PASSPHRASE")
	case k.Recipients != "":
		text, err := keyFile("recipients", k.Recipients, false)
		if err != nil {
			return nil, err
		}
		to, err := age.ParseRecipients(bytes.NewReader(text))
		if err != nil {
			return nil, wrongKey("recipients", k.Recipients, err)
		}
		return to, nil
	case k.Passphrase != "":
		phrase, err := k.passphrase()
		if err != nil {
			return nil, err
		}
		r, err := age.NewScryptRecipient(phrase)
		if err != nil {
			return nil, wrongKey("passphrase", k.Passphrase, err)
		}
		if passphraseWork != 0 {
			r.SetWorkFactor(passphraseWork)
		}
		return []age.Recipient{r}, nil
	case k.Identity != "":
		return k.own()
	}
	return nil, nil
}

// passphraseWork is how hard a passphrase is to guess, as the power of two of the
// rounds of scrypt; 0 is age's own choice. Tests, which guess nothing, set it low.
var passphraseWork int

// own are the recipients that the identity's holder is.
func (k Keys) own() ([]age.Recipient, error) {
	ids, err := k.identities()
	if err != nil {
		return nil, err
	}
	var to []age.Recipient
	for _, id := range ids {
		switch id := id.(type) {
		case *age.X25519Identity:
			to = append(to, id.Recipient())
		case *age.HybridIdentity:
			to = append(to, id.Recipient())
		}
	}
	if len(to) == 0 {
		return nil, fault.New(fault.StateInvalid, "the identity of DUET_STATE_IDENTITY does not say whom to encrypt for").
			WithHint("set DUET_STATE_RECIPIENTS")
	}
	return to, nil
}

// decrypt opens an encrypted text.
func (k Keys) decrypt(what string, text []byte) ([]byte, error) {
	var ids []age.Identity
	if k.Identity != "" {
		all, err := k.identities()
		if err != nil {
			return nil, err
		}
		ids = append(ids, all...)
	}
	if k.Passphrase != "" {
		phrase, err := k.passphrase()
		if err != nil {
			return nil, err
		}
		id, err := age.NewScryptIdentity(phrase)
		if err != nil {
			return nil, wrongKey("passphrase", k.Passphrase, err)
		}
		ids = append(ids, id)
	}
	if len(ids) == 0 {
		return nil, fault.New(fault.StateInvalid, "%s is encrypted, and there is no key", what).
			WithHint("set DUET_STATE_PASSPHRASE or DUET_STATE_IDENTITY to a key's file, where the browser's process starts")
	}
	var in io.Reader = bytes.NewReader(text)
	if bytes.HasPrefix(text, []byte(armored)) {
		in = armor.NewReader(in)
	}
	r, err := age.Decrypt(in, ids...)
	if err == nil {
		text, err = io.ReadAll(io.LimitReader(r, MaxState+1))
	}
	var none *age.NoIdentityMatchError
	switch {
	case errors.As(err, &none):
		return nil, fault.New(fault.StateInvalid, "%s is encrypted, and not with this key", what).Because(err)
	case err != nil:
		return nil, fault.New(fault.StateInvalid, "%s is encrypted, and damaged", what).Because(err)
	case len(text) > MaxState:
		return nil, fault.New(fault.StateInvalid, "%s is larger than %d MiB", what, MaxState>>20)
	}
	return text, nil
}

func (k Keys) identities() ([]age.Identity, error) {
	text, err := keyFile("identity", k.Identity, true)
	if err != nil {
		return nil, err
	}
	ids, err := age.ParseIdentities(bytes.NewReader(text))
	if err != nil {
		return nil, wrongKey("identity", k.Identity, err)
	}
	return ids, nil
}

func (k Keys) passphrase() (string, error) {
	text, err := keyFile("passphrase", k.Passphrase, true)
	if err != nil {
		return "", err
	}
	line, _, _ := strings.Cut(string(text), "\n")
	if line = strings.TrimSuffix(line, "\r"); line == "" {
		return "", wrongKey("passphrase", k.Passphrase, nil)
	}
	return line, nil
}

// maxKey bounds a key's file.
const maxKey = 1 << 20

// keyFile reads a key's file; a secret one is refused where others can read it.
func keyFile(kind, path string, secret bool) ([]byte, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, fault.New(fault.StateInvalid, "the file of the state's %s cannot be read: %s", kind, reason(err)).Because(err)
	}
	defer func() { _ = f.Close() }()
	if info, err := f.Stat(); err == nil && secret && othersRead(info) {
		return nil, fault.New(fault.StateInvalid, "the file of the state's %s can be read by others", kind).WithHint("chmod 600 %s", path)
	}
	text, err := io.ReadAll(io.LimitReader(f, maxKey))
	if err != nil {
		return nil, fault.New(fault.StateInvalid, "the file of the state's %s cannot be read: %s", kind, reason(err)).Because(err)
	}
	return text, nil
}

// wrongKey names the file alone: what is wrong with a key may show it.
func wrongKey(kind, path string, err error) error {
	return fault.New(fault.StateInvalid, "the file of the state's %s holds none: %s", kind, path).Because(err)
}
