package recipes

import (
	"encoding/json"
	"path/filepath"
	"testing"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	networkingv1 "k8s.io/api/networking/v1"
	"sigs.k8s.io/kustomize/api/krusty"
	"sigs.k8s.io/kustomize/kyaml/filesys"
	"sigs.k8s.io/yaml"
)

// What kubectl apply -k would send fits the types of the API without an unknown
// member, and what its nginx would find in its volumes serves the cards.
func TestKubernetes(t *testing.T) {
	dir := project(t, "kubernetes")
	sh(t, dir, "cardwright generate --server nginx")
	objects := render(t, dir)

	var deployment appsv1.Deployment
	strict(t, objects["Deployment"]["agent-cards"], &deployment)
	var service corev1.Service
	strict(t, objects["Service"]["agent-cards"], &service)
	var ingress networkingv1.Ingress
	strict(t, objects["Ingress"]["agent-cards"], &ingress)

	pod := deployment.Spec.Template
	for key, value := range service.Spec.Selector {
		if pod.Labels[key] != value {
			t.Errorf("the service selects %s=%s, and the pods have %q", key, value, pod.Labels[key])
		}
	}
	for _, path := range ingress.Spec.Rules[0].HTTP.Paths {
		if path.Backend.Service.Name != service.Name || path.Backend.Service.Port.Name != service.Spec.Ports[0].Name {
			t.Errorf("%s leads to %v, which is no service", path.Path, path.Backend.Service)
		}
	}

	root := mounted(t, pod.Spec, objects["ConfigMap"])
	served(t, "http://"+nginx(t, root), filepath.Join(dir, "dist"))

	// Signed cards: the key set, once its line is there.
	write(t, filepath.Join(dir, "dist/.well-known/jwks.json"), "{}\n")
	sh(t, dir, "sed -i 's/# - jwks/- jwks/' kustomization.yaml")
	objects = render(t, dir)
	deployment = appsv1.Deployment{}
	strict(t, objects["Deployment"]["agent-cards"], &deployment)
	root = mounted(t, deployment.Spec.Template.Spec, objects["ConfigMap"])
	if got := read(t, filepath.Join(root, "srv/agents/.well-known/jwks.json")); got != "{}\n" {
		t.Errorf("the key set is %q", got)
	}
}

// render is the output of kubectl kustomize, by kind and name.
func render(t *testing.T, dir string) map[string]map[string][]byte {
	t.Helper()
	rendered, err := krusty.MakeKustomizer(krusty.MakeDefaultOptions()).Run(filesys.MakeFsOnDisk(), dir)
	if err != nil {
		t.Fatal(err)
	}
	objects := map[string]map[string][]byte{}
	for _, resource := range rendered.Resources() {
		content, err := resource.MarshalJSON()
		if err != nil {
			t.Fatal(err)
		}
		if objects[resource.GetKind()] == nil {
			objects[resource.GetKind()] = map[string][]byte{}
		}
		objects[resource.GetKind()][resource.GetName()] = content
	}
	return objects
}

// mounted is a directory with the files that a container finds at its mount points.
func mounted(t *testing.T, pod corev1.PodSpec, maps map[string][]byte) string {
	t.Helper()
	root := t.TempDir()
	for _, mount := range pod.Containers[0].VolumeMounts {
		for _, volume := range pod.Volumes {
			if volume.Name != mount.Name || volume.ConfigMap == nil {
				continue
			}
			var content corev1.ConfigMap
			strict(t, maps[volume.ConfigMap.Name], &content)
			items := volume.ConfigMap.Items
			if items == nil {
				for key := range content.Data {
					items = append(items, corev1.KeyToPath{Key: key, Path: key})
				}
			}
			for _, item := range items {
				text, ok := content.Data[item.Key]
				switch {
				case !ok && volume.ConfigMap.Optional != nil && *volume.ConfigMap.Optional:
				case !ok:
					t.Errorf("the ConfigMap %s has no key %s", content.Name, item.Key)
				case mount.SubPath == "":
					write(t, filepath.Join(root, mount.MountPath, item.Path), text)
				case mount.SubPath == item.Path:
					write(t, filepath.Join(root, mount.MountPath), text)
				}
			}
		}
	}
	return root
}

// strict reads an object of the API and refuses what its type does not have.
func strict(t *testing.T, content []byte, object any) {
	t.Helper()
	if content == nil {
		t.Fatalf("no %T was rendered", object)
	}
	if err := yaml.UnmarshalStrict(content, object); err != nil {
		t.Fatal(err)
	}
	if !json.Valid(content) {
		t.Fatalf("%T is no JSON", object)
	}
}
