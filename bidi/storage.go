package bidi

// The commands of the module storage.
var (
	// StorageGetCookies reads cookies.
	// https://w3c.github.io/webdriver-bidi/#command-storage-getCookies
	StorageGetCookies = command[StorageGetCookiesParameters, StorageGetCookiesResult]("storage.getCookies")

	// StorageSetCookie sets a cookie.
	// https://w3c.github.io/webdriver-bidi/#command-storage-setCookie
	StorageSetCookie = command[StorageSetCookieParameters, StorageSetCookieResult]("storage.setCookie")

	// StorageDeleteCookies deletes cookies.
	// https://w3c.github.io/webdriver-bidi/#command-storage-deleteCookies
	StorageDeleteCookies = command[StorageDeleteCookiesParameters, StorageDeleteCookiesResult]("storage.deleteCookies")
)

// StoragePartitionKey says which jar was used; members that it does not know are in
// Extra.
// https://w3c.github.io/webdriver-bidi/#type-storage-PartitionKey
type StoragePartitionKey struct {
	UserContext  string `json:"userContext,omitzero"`
	SourceOrigin string `json:"sourceOrigin,omitzero"`
	Extra        Extra  `json:"-"`
}

type partitionKey StoragePartitionKey

var partitionKeyNames = memberNames[partitionKey]()

// UnmarshalJSON keeps unknown members in Extra.
func (k *StoragePartitionKey) UnmarshalJSON(data []byte) (err error) {
	k.Extra, err = decodeOpen(data, (*partitionKey)(k), partitionKeyNames)
	return err
}

// StoragePartitionDescriptor says which jar is meant:
// StorageBrowsingContextPartitionDescriptor or
// StorageStorageKeyPartitionDescriptor.
type StoragePartitionDescriptor interface{ partitionDescriptor() }

// StorageBrowsingContextPartitionDescriptor is the jar of a context's document.
type StorageBrowsingContextPartitionDescriptor struct {
	Type    isContext `json:"type"`
	Context Context   `json:"context"`
}

// StorageStorageKeyPartitionDescriptor is the jar of a user context, or a
// partitioned one within it.
type StorageStorageKeyPartitionDescriptor struct {
	Type         isStorageKey `json:"type"`
	UserContext  string       `json:"userContext,omitzero"`
	SourceOrigin string       `json:"sourceOrigin,omitzero"`
}

func (StorageBrowsingContextPartitionDescriptor) partitionDescriptor() {}
func (StorageStorageKeyPartitionDescriptor) partitionDescriptor()      {}

// StorageCookieFilter matches the cookies that have all of its members.
type StorageCookieFilter struct {
	Name     string             `json:"name,omitzero"`
	Value    *NetworkBytesValue `json:"value,omitzero"`
	Domain   string             `json:"domain,omitzero"`
	Path     string             `json:"path,omitzero"`
	Size     *Int               `json:"size,omitzero"`
	HTTPOnly *bool              `json:"httpOnly,omitzero"`
	Secure   *bool              `json:"secure,omitzero"`
	SameSite NetworkSameSite    `json:"sameSite,omitzero"`
	Expiry   *Int               `json:"expiry,omitzero"` // seconds since 1970
}

// StoragePartialCookie is a cookie to set. Extra takes vendor members.
type StoragePartialCookie struct {
	Name     string            `json:"name"`
	Value    NetworkBytesValue `json:"value"`
	Domain   string            `json:"domain"`
	Path     string            `json:"path,omitzero"`
	HTTPOnly bool              `json:"httpOnly,omitzero"`
	Secure   bool              `json:"secure,omitzero"`
	SameSite NetworkSameSite   `json:"sameSite,omitzero"`
	Expiry   *Int              `json:"expiry,omitzero"` // seconds since 1970
	Extra    Extra             `json:"-"`
}

type partialCookie StoragePartialCookie

// MarshalJSON writes Extra among the other members.
func (c StoragePartialCookie) MarshalJSON() ([]byte, error) {
	object, err := encode(partialCookie(c))
	if err != nil {
		return nil, err
	}
	return withExtra(object, c.Extra)
}

// StorageGetCookiesParameters are the parameters of storage.getCookies.
type StorageGetCookiesParameters struct {
	Filter    *StorageCookieFilter       `json:"filter,omitzero"`
	Partition StoragePartitionDescriptor `json:"partition,omitzero"`
}

// StorageGetCookiesResult is the result of storage.getCookies.
type StorageGetCookiesResult struct {
	Cookies      []NetworkCookie     `json:"cookies"`
	PartitionKey StoragePartitionKey `json:"partitionKey"`
}

// StorageSetCookieParameters are the parameters of storage.setCookie.
type StorageSetCookieParameters struct {
	Cookie    StoragePartialCookie       `json:"cookie"`
	Partition StoragePartitionDescriptor `json:"partition,omitzero"`
}

// StorageSetCookieResult is the result of storage.setCookie.
type StorageSetCookieResult struct {
	PartitionKey StoragePartitionKey `json:"partitionKey"`
}

// StorageDeleteCookiesParameters are the parameters of storage.deleteCookies.
type StorageDeleteCookiesParameters struct {
	Filter    *StorageCookieFilter       `json:"filter,omitzero"`
	Partition StoragePartitionDescriptor `json:"partition,omitzero"`
}

// StorageDeleteCookiesResult is the result of storage.deleteCookies.
type StorageDeleteCookiesResult struct {
	PartitionKey StoragePartitionKey `json:"partitionKey"`
}
